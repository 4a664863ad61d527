import type { Context } from '../environment/context.ts'
import { bankContext } from '../work/worker.ts'
import { command } from '../writing/command.ts'
import { insertRevocation, revocation, type RevocationKind } from './revocations.ts'

/**
 * Revokes tokens again after the commit that revoked them, because tokens may have been issued under
 * the old rights while that commit was in progress.
 */
export function revokeAgain({ bank }: Context, kind: RevocationKind, value: string): Promise<void> {
  return command(bankContext(bank), 'kernel.revoke-again', { kind, value }, async () => ({
    result: undefined,
    writes: [insertRevocation(revocation(kind, value))],
  }))
}

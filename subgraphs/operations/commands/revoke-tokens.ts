import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import {
  insertRevocation,
  revocation,
  type Revocation,
} from '../../../kernel/authorization/revocations.ts'
import { revocationEvent } from '../events.ts'

export interface RevocationRequest {
  tokenId?: string | null
  clientId?: string | null
  subject?: string | null
  grantId?: string | null
}

/**
 * Revokes one token, all tokens issued to a client or a subject until now, or all tokens of a
 * grant, including refresh tokens. The revocation takes effect in every process within a second,
 * and closes open sockets.
 * Throws NOT_FOR_DELEGATED_USERS, and VALIDATION_FAILED unless the request names exactly one token,
 * client, subject or grant.
 */
export async function revokeTokens(
  context: Context,
  request: RevocationRequest,
): Promise<Revocation> {
  const savedRevocation = await command(context, 'revokeTokens', request, async () => {
    requireBank(context)
    const { kind, value } = targetOf(request)
    const result = revocation(kind, value)
    return {
      result,
      resourceId: `${kind}/${value}`,
      writes: [insertRevocation(result)],
      events: [revocationEvent(result)],
    }
  })
  await context.bank.revocations.refresh()
  return savedRevocation
}

function targetOf({ tokenId, clientId, subject, grantId }: RevocationRequest) {
  const targets = [
    { kind: 'token', value: tokenId } as const,
    { kind: 'client', value: clientId } as const,
    { kind: 'subject', value: subject } as const,
    { kind: 'grant', value: grantId } as const,
  ].filter(({ value }) => value)
  const [target] = targets
  if (!target || targets.length > 1) {
    const detail = 'Name exactly one token, client, subject or grant.'
    const errors = [{ pointer: '/tokenId', code: 'ONE_OF', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  return { kind: target.kind, value: target.value! }
}

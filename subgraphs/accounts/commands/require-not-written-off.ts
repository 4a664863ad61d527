import type { Context } from '../../../kernel/environment/context.ts'
import { unrecoveredOf } from '../domain/overdraft-write-off.ts'
import { Problem } from '../domain/problems.ts'
import { findWriteOffs } from '../store/overdraft-write-off.ts'

/**
 * Checks that no overdraft of an account was written off, or that it was fully recovered. The
 * approval of a write-off gives the account a new version, so a command that changes the account is
 * decided again. Throws OVERDRAFT_WRITTEN_OFF.
 */
export async function requireNotWrittenOff(context: Context, arrangementId: string): Promise<void> {
  const writeOffs = await findWriteOffs(context, arrangementId)
  if (!writeOffs.some((each) => unrecoveredOf(each) > 0n)) return
  throw new Problem('OVERDRAFT_WRITTEN_OFF', { resourceId: arrangementId })
}

import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'

/**
 * Checks that a relationship has no open records before it ends. Rejects with RELATION_NOT_SETTLED;
 * `errors` lists them.
 */
export function requireSettled(resourceId: string, open: readonly Fault[]): void {
  if (open.length === 0) return
  const names = open.map((each) => each.resourceId).join(', ')
  const detail = `${resourceId} still has ${names}. Settle and close these first.`
  throw new Problem('RELATION_NOT_SETTLED', { detail, resourceId, errors: [...open] })
}

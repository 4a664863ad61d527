import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'

/**
 * Checks that a customer or party has no open records, such as accounts. `openRecordErrors` has an
 * error for each open record. Throws RELATION_NOT_SETTLED with these errors.
 */
export function requireSettled(
  resourceId: string,
  openRecordErrors: readonly ValidationError[],
): void {
  if (openRecordErrors.length === 0) return
  const names = openRecordErrors.map((each) => each.resourceId).join(', ')
  const detail = `${resourceId} still has ${names}. Settle and close these first.`
  throw new Problem('RELATION_NOT_SETTLED', { detail, resourceId, errors: [...openRecordErrors] })
}

import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'

/**
 * Checks that a customer or party has no open records, for which `openRecords` are the validation
 * errors.
 * Throws RELATION_NOT_SETTLED with these errors.
 */
export function requireSettled(resourceId: string, openRecords: readonly ValidationError[]): void {
  if (openRecords.length === 0) return
  const names = openRecords.map((each) => each.resourceId).join(', ')
  const detail = `${resourceId} still has ${names}. Settle and close these first.`
  throw new Problem('RELATION_NOT_SETTLED', { detail, resourceId, errors: [...openRecords] })
}

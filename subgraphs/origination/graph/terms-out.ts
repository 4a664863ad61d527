import { moneyOut } from '../../_kernel/graph/money.types.ts'
import type { Terms } from '../domain/terms.ts'
import type { LoanTerms } from './loan-terms.types.ts'

/** Converts terms of the domain to GraphQL. */
export function termsOut(terms: Terms | null): LoanTerms | null {
  return terms && { ...terms, amount: moneyOut(terms) }
}

import { moneyOut } from '../../../kernel/graph/money.types.ts'
import type { Terms } from '../domain/terms.ts'
import type { LoanTerms } from '../model/loan-terms.ts'

/** Converts loan terms to their GraphQL type. */
export function termsOut(terms: Terms | null): LoanTerms | null {
  return terms && { ...terms, amount: moneyOut(terms) }
}

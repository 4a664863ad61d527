import { productClassName } from '../../../kernel/domain/product-class.ts'

/**
 * The product classes for which arrangements can be opened. Products of any other class are only
 * listed in the catalog.
 */
const behaviors = [
  'current-account',
  'savings-account',
  'term-deposit',
  'consumer-loan',
  'mortgage',
  'overdraft',
  'revolving-credit',
  'sme-facility',
] as const
export type Behavior = (typeof behaviors)[number]

/**
 * The classes of loans that are repaid in equal installments. A quote for such a loan needs an
 * amount and a term.
 */
const installmentLoans: readonly Behavior[] = ['consumer-loan', 'mortgage']

/**
 * Returns the behavior of a product class; null if its products are only listed. Spellings such as
 * `CURRENT_ACCOUNT` and `current-account` are equivalent.
 */
export function behaviorOf(productClass: string): Behavior | null {
  const name = productClassName(productClass)
  return behaviors.find((behavior) => behavior === name) ?? null
}

/** Returns whether the class is a loan with a fixed number of equal installments. */
export function isInstallmentLoan(productClass: string): boolean {
  const behavior = behaviorOf(productClass)
  return behavior !== null && installmentLoans.includes(behavior)
}

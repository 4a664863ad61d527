/**
 * The classes whose products can be opened. Products of any other class are only listed in the
 * catalog.
 */
const behaviours = [
  'current-account',
  'savings-account',
  'term-deposit',
  'consumer-loan',
  'mortgage',
  'overdraft',
  'revolving-credit',
  'sme-facility',
] as const
export type Behaviour = (typeof behaviours)[number]

/**
 * The classes that are repaid in equal installments. A quote for them needs an amount and a term.
 */
const instalmentLoans: readonly Behaviour[] = ['consumer-loan', 'mortgage']

/**
 * The behavior of a product class; null when its products are only listed. `CURRENT_ACCOUNT` equals
 * `current-account`.
 */
export function behaviourOf(productClass: string): Behaviour | null {
  const name = productClass
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  return behaviours.find((behaviour) => behaviour === name) ?? null
}

/** Whether the class is a loan with a fixed number of equal installments. */
export function isInstalmentLoan(productClass: string): boolean {
  const behaviour = behaviourOf(productClass)
  return behaviour !== null && instalmentLoans.includes(behaviour)
}

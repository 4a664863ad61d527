/** The classes an arrangement can be opened of; any other text is a class that is only catalogued. */
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

/** Classes that are repaid in equal instalments; a price without amount and term means nothing there. */
const instalmentLoans: readonly Behaviour[] = ['consumer-loan', 'mortgage']

/** How products of a class behave; null when the bank only lists them. `CURRENT_ACCOUNT` is `current-account`. */
export function behaviourOf(productClass: string): Behaviour | null {
  const name = productClass
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  return behaviours.find((behaviour) => behaviour === name) ?? null
}

/** Whether the class is a loan with a fixed number of equal instalments. */
export function isInstalmentLoan(productClass: string): boolean {
  const behaviour = behaviourOf(productClass)
  return behaviour !== null && instalmentLoans.includes(behaviour)
}

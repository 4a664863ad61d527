/** The kind of facility for each product class that is credit. */
const kinds = {
  'consumer-loan': 'consumer-loan',
  mortgage: 'mortgage',
  'sme-facility': 'sme-facility',
  'revolving-credit': 'revolving',
  overdraft: 'revolving',
} as const
export type CreditKind = (typeof kinds)[keyof typeof kinds]

/**
 * Returns the kind of facility for a product class, such as `consumer-loan`; null if the class is
 * not credit. Letter case, spaces and underscores in the class do not matter.
 */
export function creditKindOf(productClass: string): CreditKind | null {
  const name = productClass
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  return Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : null
}

/** The kind of facility that products of a class are lent as. */
const kinds = {
  'consumer-loan': 'consumer-loan',
  mortgage: 'mortgage',
  'sme-facility': 'sme-facility',
  'revolving-credit': 'revolving',
  overdraft: 'revolving',
} as const
export type CreditKind = (typeof kinds)[keyof typeof kinds]

/** The kind of facility of a product class, such as `CONSUMER_LOAN`; null for a class that is not credit. */
export function creditKindOf(productClass: string): CreditKind | null {
  const name = productClass
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  return Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : null
}

import type { PreviewQuoteQueryVariables, VersionPartsFragment } from './queries.generated.ts'

/** What a person enters to get a price. */
export interface QuoteValues {
  version: string
  currency: string
  amount: string
  termMonths: string
  marginPct: string
  discountPct: string
  discountReason: string
  campaignId: string
  customerId: string
}

/** Returns the values with which the form of a version begins: the least that it can price. */
export function valuesFor({ version, currencies, parameters }: VersionPartsFragment): QuoteValues {
  const minimumOf = (parameter: string) =>
    parameters.find(({ name }) => name === parameter)?.minimum ?? ''
  return {
    version,
    currency: currencies[0] ?? 'EUR',
    amount: minimumOf('amount'),
    termMonths: minimumOf('termMonths'),
    marginPct: '',
    discountPct: '',
    discountReason: '',
    campaignId: '',
    customerId: '',
  }
}

/** Returns the request for a price: only what was entered. */
export function inputOf(
  productId: string,
  { currency, amount, termMonths, ...texts }: QuoteValues,
): PreviewQuoteQueryVariables['input'] {
  const entered = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '')
  return {
    productId,
    ...(amount.trim()
      ? { amount: { amount: amount.trim().replace(',', '.'), currency } }
      : { currency }),
    ...(/^\d+$/.test(termMonths.trim()) && { termMonths: Number(termMonths) }),
    ...Object.fromEntries(entered),
  }
}

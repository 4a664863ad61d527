import type { OfferedCreditQuery } from './queries.generated.ts'

type Offer = NonNullable<OfferedCreditQuery['productOffers']>['nodes'][number]

/** A loan that the bank offers, with the bounds of the amount and of the term. */
export interface CreditOffer {
  productId: string
  name: string
  description: string | null
  currency: string
  ratePct: string
  minAmount: number
  maxAmount: number
  minMonths: number
  maxMonths: number
}

const loanClasses = ['consumer-loan', 'mortgage', 'sme-loan', 'sme-facility']

/** Returns the loans among the offers, each product once. */
export function creditOffersOf(offers: readonly Offer[]): CreditOffer[] {
  const found = new Map<string, CreditOffer>()
  for (const { product, headline } of offers) {
    if (!product || !headline.ratePct || !loanClasses.includes(product.productClass)) continue
    const bound = (name: string, side: 'minimum' | 'maximum', otherwise: number) =>
      Number(product.parameters.find((parameter) => parameter.name === name)?.[side] ?? otherwise)
    found.set(product.productId, {
      productId: product.productId,
      name: product.name,
      description: product.description ?? null,
      currency: headline.currency,
      ratePct: headline.ratePct,
      minAmount: bound('amount', 'minimum', 500),
      maxAmount: bound('amount', 'maximum', 100_000),
      minMonths: bound('termMonths', 'minimum', 6),
      maxMonths: bound('termMonths', 'maximum', 120),
    })
  }
  return [...found.values()]
}

import { feeToJson } from '../_kernel/domain/fee.ts'
import { behaviourOf } from './domain/product-class.ts'
import type { Product } from './domain/product.ts'
import type { ProductOffer } from './domain/offer.ts'
import type { PricingQuote } from './domain/quote.ts'

/** What others may know of a product: which versions can be opened, in what currencies, between what bounds, at what rate, and what is charged for it. */
export function productFact(productId: string, versions: readonly Product[]) {
  return { productId, versions: versions.map(versionFact) }
}

function versionFact(product: Product) {
  return {
    version: product.version,
    name: product.name,
    productClass: product.productClass,
    status: product.status,
    isOpenable: behaviourOf(product.productClass) !== null,
    currencies: product.currencies,
    effectiveFrom: product.effectiveFrom,
    effectiveTo: product.effectiveTo,
    maxPerCustomer: product.maxPerCustomer,
    parameters: product.parameters,
    interest: product.interest,
    fees: product.fees.map(feeToJson),
    createdAt: product.createdAt,
  }
}

/** A version of a product as its events tell it. */
export function productSnapshot(product: Product) {
  const { productId, version, name, productClass, status } = product
  const { currencies, effectiveFrom, effectiveTo } = product
  return {
    productId,
    version,
    name,
    productClass,
    status,
    currencies,
    effectiveFrom,
    effectiveTo,
  }
}

/** What others may know of a price, and what its event tells. */
export function quoteFact(quote: PricingQuote) {
  return {
    pricingQuoteId: quote.pricingQuoteId,
    productId: quote.productId,
    productVersion: quote.productVersion,
    customerId: quote.customerId,
    currency: quote.currency,
    amountMinor: quote.amountMinor === null ? null : quote.amountMinor.toString(),
    termMonths: quote.termMonths,
    ratePct: quote.ratePct,
    aprcPct: quote.aprcPct,
    ruleVersion: quote.ruleVersion,
    expiresAt: quote.expiresAt,
  }
}

/** What others may know of an offer, and what its events tell. */
export function offerFact(offer: ProductOffer) {
  return {
    offerId: offer.offerId,
    productId: offer.productId,
    productVersion: offer.productVersion,
    pricingQuoteId: offer.pricingQuoteId,
    customerId: offer.customerId,
    status: offer.status,
    channel: offer.channel,
    validFrom: offer.validFrom,
    validTo: offer.validTo,
  }
}

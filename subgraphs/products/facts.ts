import { feeToJson } from '../_kernel/domain/fee.ts'
import { behaviourOf } from './domain/product-class.ts'
import type { Product } from './domain/product.ts'
import type { ProductOffer } from './domain/offer.ts'
import type { PricingQuote } from './domain/quote.ts'

/**
 * The published fact of a product: its versions with currencies, parameter bounds, interest and
 * fees.
 */
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

/** The data of the events of a product version. */
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

/** The published fact of a quote, also the data of its event. */
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

/** The published fact of an offer, also the data of its events. */
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

import type { ProductOffer, StoredHeadline } from '../model/offer.ts'
import type { PricingQuote } from '../model/pricing-quote.ts'
import type { Product } from '../model/product.ts'
import { Decimal } from 'decimal.js'
import { minorDigits } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import { isUnexpired } from './quote.ts'

export interface OfferRequest {
  channel?: string | null
  validFrom?: Date | null
  validTo?: Date | null
}

/**
 * Returns a new draft offer at a quoted price. By default it is valid until the quote expires.
 * Throws INVALID_DATE_RANGE if the validity ends before it starts, in the past, or after the quote.
 */
export function draftOffer(
  request: OfferRequest,
  product: Product,
  quote: PricingQuote,
  stamp: {
    offerId: string
    customer: { customerId: string; partyId: string } | null
    contentHash: string
    now: Date
  },
): ProductOffer {
  const { offerId, customer, contentHash, now } = stamp
  const validFrom = request.validFrom ?? now
  const validTo = request.validTo ?? quote.expiresAt
  if (validTo <= validFrom || validTo <= now || validTo > quote.expiresAt) {
    const detail = `validTo must be after validFrom, in the future, and not after the quote expires at ${quote.expiresAt.toISOString()}.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/validTo', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  return {
    offerId,
    productId: product.productId,
    productVersion: product.version,
    pricingQuoteId: quote.pricingQuoteId,
    customerId: customer?.customerId ?? null,
    partyId: customer?.partyId ?? null,
    status: 'draft',
    channel: request.channel ?? null,
    headline: headlineOf(product, quote),
    validFrom,
    validTo,
    contentHash,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Checks that a draft offer can be published. Throws QUOTE_EXPIRED, PRODUCT_NOT_ACTIVE, and
 * STATE_CONFLICT if the validity of the offer has ended.
 */
export function requirePublishable(
  offer: ProductOffer,
  quote: PricingQuote,
  product: Product,
  now: Date,
): void {
  if (!isUnexpired(quote, now)) {
    throw new Problem('QUOTE_EXPIRED', { resourceId: quote.pricingQuoteId })
  }
  requireOnOffer(product, ['active'])
  if (offer.validTo <= now) throw validityProblem(offer)
}

/**
 * Checks that a published offer can be accepted. Offers of a superseded version can still be
 * accepted.
 * Throws OFFER_NOT_PERSONALISED, PRODUCT_NOT_ACTIVE, and STATE_CONFLICT before the validity of the
 * offer starts.
 */
export function requireAcceptable(offer: ProductOffer, product: Product, now: Date): void {
  if (offer.customerId === null) {
    throw new Problem('OFFER_NOT_PERSONALISED', { resourceId: offer.offerId })
  }
  if (now < offer.validFrom) throw validityProblem(offer)
  requireOnOffer(product, ['active', 'superseded'])
}

/**
 * Returns the offer with its effective status: an active offer past `validTo` is expired, even if
 * the worker has not recorded it yet.
 */
export function offerAt(offer: ProductOffer, now: Date): ProductOffer {
  const isExpired = offer.status === 'active' && offer.validTo <= now
  return isExpired ? { ...offer, status: 'expired' } : offer
}

function requireOnOffer(
  { productId, version, status }: Product,
  allowedStatuses: readonly string[],
): void {
  if (allowedStatuses.includes(status)) return
  throw new Problem('PRODUCT_NOT_ACTIVE', {
    detail: `${productId} ${version} is ${status}.`,
    resourceId: productId,
  })
}

function validityProblem({ offerId, status, validFrom, validTo }: ProductOffer): Problem {
  return new Problem('STATE_CONFLICT', {
    detail: `${offerId} is valid from ${validFrom.toISOString()} to ${validTo.toISOString()}.`,
    resourceId: offerId,
    currentState: status,
  })
}

function headlineOf(product: Product, quote: PricingQuote): StoredHeadline {
  const { ratePct, aprcPct, currency, termMonths } = quote
  const bounds = (name: string) => {
    const found = product.parameters.find((parameter) => parameter.name === name)
    return [found?.minimum ?? null, found?.maximum ?? null] as const
  }
  // Bounds are decimals in major units. They are rounded inward to minor units.
  const money = (bound: string | null, rounding: Decimal.Rounding) => {
    if (bound === null) return null
    const minor = new Decimal(bound).mul(Decimal.pow(10, minorDigits(currency)))
    return { amountMinor: BigInt(minor.toFixed(0, rounding)), currency }
  }
  const [minAmount, maxAmount] = bounds('amount')
  const months = termMonths === null ? bounds('termMonths') : [termMonths]
  return {
    ratePct,
    aprcPct,
    currency,
    minAmount: money(minAmount, Decimal.ROUND_CEIL),
    maxAmount: money(maxAmount, Decimal.ROUND_FLOOR),
    termMonths: months
      .filter((count) => count !== null)
      .map(Number)
      .filter(Number.isInteger),
  }
}

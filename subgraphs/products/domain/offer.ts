import { Decimal } from 'decimal.js'
import { minorDigits, type Money } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Product } from './product.ts'
import { isTimeValid, type PricingQuote } from './quote.ts'

export const offerStatuses = ['draft', 'active', 'accepted', 'expired', 'withdrawn'] as const
export type OfferStatus = (typeof offerStatuses)[number]

export const offerMoves: Transitions<OfferStatus> = {
  draft: ['active'],
  active: ['accepted', 'expired', 'withdrawn'],
  accepted: [],
  expired: [],
  withdrawn: [],
}

/** The key figures of an offer, copied from its quote and version, neither of which changes. */
export interface OfferHeadline {
  ratePct: string | null
  aprcPct: string | null
  currency: string
  minAmount: Money | null
  maxAmount: Money | null
  /** The quoted term, otherwise the shortest and the longest term of the product. */
  termMonths: number[]
}

/** An offer of a product version at a quoted price, to one customer or to everyone. */
export interface ProductOffer {
  offerId: string
  productId: string
  productVersion: string
  pricingQuoteId: string
  customerId: string | null
  partyId: string | null
  status: OfferStatus
  channel: string | null
  headline: OfferHeadline
  validFrom: Date
  /** When the offer expires; never later than its quote. */
  validTo: Date
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface OfferAsked {
  channel?: string | null
  validFrom?: Date | null
  validTo?: Date | null
}

/**
 * A new draft offer at a quoted price, by default valid until the quote expires.
 * Rejects with INVALID_DATE_RANGE a validity that has ended or that exceeds the quote.
 */
export function draftOffer(
  asked: OfferAsked,
  product: Product,
  quote: PricingQuote,
  made: {
    offerId: string
    customer: { customerId: string; partyId: string } | null
    contentHash: string
    now: Date
  },
): ProductOffer {
  const { offerId, customer, contentHash, now } = made
  const validFrom = asked.validFrom ?? now
  const validTo = asked.validTo ?? quote.expiresAt
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
    channel: asked.channel ?? null,
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
 * Publishes a draft offer.
 * Rejects with INVALID_STATE_TRANSITION, QUOTE_EXPIRED, PRODUCT_NOT_ACTIVE, and with STATE_CONFLICT
 * when its validity has ended.
 */
export function publishOffer(
  offer: ProductOffer,
  quote: PricingQuote,
  product: Product,
  now: Date,
): ProductOffer {
  const published = move(offer, 'active')
  if (!isTimeValid(quote, now)) {
    throw new Problem('QUOTE_EXPIRED', { resourceId: quote.pricingQuoteId })
  }
  requireOnOffer(product, ['active'])
  if (offer.validTo <= now) throw outOfTime(offer)
  return published
}

/**
 * Accepts a published offer.
 * Rejects with INVALID_STATE_TRANSITION, OFFER_NOT_PERSONALISED, PRODUCT_NOT_ACTIVE, and with
 * STATE_CONFLICT before its validity. Offers of a superseded version can still be accepted.
 */
export function acceptOffer(offer: ProductOffer, product: Product, now: Date): ProductOffer {
  const accepted = move(offer, 'accepted')
  if (offer.customerId === null) {
    throw new Problem('OFFER_NOT_PERSONALISED', { resourceId: offer.offerId })
  }
  if (now < offer.validFrom) throw outOfTime(offer)
  requireOnOffer(product, ['active', 'superseded'])
  return accepted
}

/** Withdraws a published offer. Rejects with INVALID_STATE_TRANSITION. */
export function withdrawOffer(offer: ProductOffer): ProductOffer {
  return move(offer, 'withdrawn')
}

/**
 * The offer at a point in time: an active offer past `validTo` is expired, even when the worker has
 * not recorded it.
 */
export function offerAt(offer: ProductOffer, now: Date): ProductOffer {
  const isOver = offer.status === 'active' && offer.validTo <= now
  return isOver ? { ...offer, status: 'expired' } : offer
}

function move(offer: ProductOffer, to: OfferStatus): ProductOffer {
  requireMove(offerMoves, offer.status, to, offer.offerId)
  return { ...offer, status: to }
}

function requireOnOffer({ productId, version, status }: Product, good: readonly string[]): void {
  if (good.includes(status)) return
  throw new Problem('PRODUCT_NOT_ACTIVE', {
    detail: `${productId} ${version} is ${status}.`,
    resourceId: productId,
  })
}

function outOfTime({ offerId, status, validFrom, validTo }: ProductOffer): Problem {
  return new Problem('STATE_CONFLICT', {
    detail: `${offerId} is valid from ${validFrom.toISOString()} to ${validTo.toISOString()}.`,
    resourceId: offerId,
    currentState: status,
  })
}

function headlineOf(product: Product, quote: PricingQuote): OfferHeadline {
  const { ratePct, aprcPct, currency, termMonths } = quote
  const bounds = (name: string) => {
    const found = product.parameters.find((parameter) => parameter.name === name)
    return [found?.minimum ?? null, found?.maximum ?? null] as const
  }
  // Bounds are decimals in major units; they are rounded inward to minor units.
  const money = (bound: string | null, rounding: Decimal.Rounding) => {
    if (bound === null) return null
    const minor = new Decimal(bound).mul(Decimal.pow(10, minorDigits(currency)))
    return { amountMinor: BigInt(minor.toFixed(0, rounding)), currency }
  }
  const [minAmount, maxAmount] = bounds('amount')
  const terms = termMonths === null ? bounds('termMonths') : [termMonths]
  return {
    ratePct,
    aprcPct,
    currency,
    minAmount: money(minAmount, Decimal.ROUND_CEIL),
    maxAmount: money(maxAmount, Decimal.ROUND_FLOOR),
    termMonths: terms
      .filter((term) => term !== null)
      .map(Number)
      .filter(Number.isInteger),
  }
}

import { fingerprint } from '../_kernel/answer.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { readHeldFacts } from '../_kernel/facts.ts'
import type { Worker } from '../_kernel/worker.ts'
import {
  acceptOffer,
  draftOffer,
  offerAt,
  publishOffer,
  withdrawOffer,
  type OfferAsked,
  type ProductOffer,
} from './domain/offer.ts'
import { chooseVersion, type Product, type ProductLine } from './domain/product.ts'
import type { PricingQuote } from './domain/quote.ts'
import { offerFact } from './facts.ts'
import { namedCustomer } from './pricing.ts'
import {
  findOffer,
  findOverdueOffers,
  insertOffer,
  maySeeOffer,
  updateOffer,
  writeExpiredOffers,
} from './store/offer.ts'
import { findLine } from './store/product.ts'
import { findQuote } from './store/quote.ts'

export interface NewOffer extends OfferAsked {
  offerId?: string | null
  productId: string
  version?: string | null
  pricingQuoteId: string
  customerId?: string | null
}

/**
 * Creates a draft offer of the quoted version. Repeating the same id and content returns the
 * existing offer.
 * Rejects with RESOURCE_EXISTS, PRODUCT_NOT_FOUND, QUOTE_NOT_FOUND, QUOTE_MISMATCH,
 * CUSTOMER_NOT_FOUND, INVALID_DATE_RANGE.
 */
export function createOffer(context: Context, asked: NewOffer): Promise<ProductOffer> {
  const contentHash = fingerprint('createProductOffer', asked)
  return command(context, 'createProductOffer', asked, async () => {
    const existing = asked.offerId ? await findOffer(context, asked.offerId) : null
    if (existing) {
      const resourceId = existing.offerId
      const now = context.now()
      if (existing.contentHash === contentHash) {
        return { result: offerAt(existing, now), resourceId }
      }
      throw new Problem('RESOURCE_EXISTS', { resourceId })
    }
    const { product, quote } = await pricedVersion(context, asked)
    const customer = await namedCustomer(context, asked.customerId)
    const offerId = asked.offerId ?? context.newId('offer')
    const made = { offerId, customer, contentHash, now: context.now() }
    const offer = draftOffer(asked, product, quote, made)
    return {
      result: offer,
      resourceId: offerId,
      writes: [insertOffer(offer)],
      ...publish(offer, 'products.offer.created'),
    }
  })
}

/** Publishes a draft offer. Rejects with OFFER_NOT_FOUND and as `publishOffer` does. */
export function publishProductOffer(context: Context, offerId: string): Promise<ProductOffer> {
  const event = 'products.offer.published'
  return changeOffer(context, 'publishProductOffer', offerId, event, async (offer, now) => {
    const [quote, product] = await Promise.all([
      findQuote(context, offer.pricingQuoteId),
      productOf(context, offer),
    ])
    return publishOffer(offer, quote!, product, now)
  })
}

/** Accepts a published offer. Rejects with OFFER_NOT_FOUND and as `acceptOffer` does. */
export function acceptProductOffer(context: Context, offerId: string): Promise<ProductOffer> {
  const event = 'products.offer.accepted'
  return changeOffer(context, 'acceptProductOffer', offerId, event, async (offer, now) =>
    acceptOffer(offer, await productOf(context, offer), now),
  )
}

/** Withdraws a published offer. Rejects with OFFER_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function withdrawProductOffer(context: Context, offerId: string): Promise<ProductOffer> {
  const event = 'products.offer.withdrawn'
  return changeOffer(context, 'withdrawProductOffer', offerId, event, withdrawOffer)
}

const batchSize = 200

/** Expires published offers after `validTo`. */
export const expireOffers: Worker = {
  name: 'products.expire-offers',
  followsClock: true,
  purpose: 'Expires published offers whose validity has ended.',
  everyMs: 10_000,
  run: (context) =>
    command(context, 'expireOffers', {}, async () => {
      const now = context.now()
      const overdue = await findOverdueOffers(context, now, batchSize)
      if (overdue.length === 0) return { result: 0 }
      const published = overdue.map((offer) => {
        const expired = { ...offerAt(offer, now), version: offer.version + 1, updatedAt: now }
        return publish(expired, 'products.offer.expired')
      })
      return {
        result: overdue.length,
        writes: [writeExpiredOffers(overdue, now)],
        events: published.flatMap(({ events }) => events),
        facts: published.flatMap(({ facts }) => facts),
      }
    }),
}

function changeOffer(
  context: Context,
  operation: string,
  offerId: string,
  event: string,
  decide: (offer: ProductOffer, now: Date) => ProductOffer | Promise<ProductOffer>,
): Promise<ProductOffer> {
  return command(context, operation, { offerId }, async () => {
    const now = context.now()
    const stored = await findOffer(context, offerId)
    const offer = stored && offerAt(stored, now)
    if (!offer || !maySeeOffer(context, offer)) {
      throw new Problem('OFFER_NOT_FOUND', { resourceId: offerId })
    }
    const decided = await decide(offer, now)
    const after = { ...decided, version: offer.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: offerId,
      writes: [updateOffer(after, offer.version)],
      ...publish(after, event),
    }
  })
}

/**
 * The product version and the quote of a new offer. Rejects with QUOTE_MISMATCH when the quote is
 * for something else.
 */
async function pricedVersion(
  context: Context,
  { productId, version, pricingQuoteId, customerId }: NewOffer,
): Promise<{ product: Product; quote: PricingQuote }> {
  const line = await findHeldLine(context, productId)
  if (!line) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  const quote = await findQuote(context, pricingQuoteId)
  if (!quote) throw missingReference('QUOTE_NOT_FOUND', pricingQuoteId, '/pricingQuoteId')
  const product = chooseVersion(line.versions, version ?? quote.productVersion)
  const isForIt = quote.productId === productId && quote.productVersion === product?.version
  const isForThem = quote.customerId === null || quote.customerId === customerId
  if (product && isForIt && isForThem) return { product, quote }
  const { productId: pricedId, productVersion, customerId: pricedFor } = quote
  const forWhom = pricedFor === null ? '' : ` for ${pricedFor}`
  const detail = `${pricingQuoteId} is a quote for ${pricedId} ${productVersion}${forWhom}, not for this offer.`
  throw new Problem('QUOTE_MISMATCH', {
    detail,
    resourceId: pricingQuoteId,
    errors: [{ pointer: '/pricingQuoteId', code: 'QUOTE_MISMATCH', detail }],
  })
}

/** The offered version. It always exists, because versions are never deleted. */
async function productOf(context: Context, offer: ProductOffer): Promise<Product> {
  const line = await findHeldLine(context, offer.productId)
  return chooseVersion(line!.versions, offer.productVersion)!
}

/**
 * The versions of a product. Each change publishes the product fact, so the guard on the fact
 * detects concurrent changes.
 */
async function findHeldLine(context: Context, productId: string): Promise<ProductLine | null> {
  await readHeldFacts(context, [`product/${productId}`])
  return findLine(context, productId)
}

function publish(offer: ProductOffer, type: string) {
  const subject = `offer/${offer.offerId}`
  const data = offerFact(offer)
  const parties = offer.partyId === null ? [] : [offer.partyId]
  return {
    events: [{ type, subject, version: offer.version, data, parties }],
    facts: [{ subject, data }],
  }
}

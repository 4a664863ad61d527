import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import {
  acceptOffer,
  draftOffer,
  offerAt,
  publishOffer,
  withdrawOffer,
  type OfferRequest,
  type ProductOffer,
} from '../domain/offer.ts'
import { chooseVersion, type Product, type ProductVersions } from '../domain/product.ts'
import type { PricingQuote } from '../domain/quote.ts'
import { eventDataOf } from '../../../kernel/events/record-data.ts'
import { ProductOffer as OfferModel } from '../model/offer.ts'
import { namedCustomer } from './pricing-quote.ts'
import { findOffer, insertOffer, maySeeOffer, updateOffer } from '../store/offer.ts'
import { findProductVersions } from '../store/product.ts'
import { findQuote } from '../store/quote.ts'

export interface NewOffer extends OfferRequest {
  offerId?: string | null
  productId: string
  version?: string | null
  pricingQuoteId: string
  customerId?: string | null
}

/**
 * Creates a draft offer of the quoted version. Repeating the request with the same ID and content
 * returns the existing offer.
 * Throws RESOURCE_EXISTS, PRODUCT_NOT_FOUND, QUOTE_NOT_FOUND, QUOTE_MISMATCH, CUSTOMER_NOT_FOUND,
 * INVALID_DATE_RANGE.
 */
export function createOffer(context: Context, request: NewOffer): Promise<ProductOffer> {
  const contentHash = fingerprint('createProductOffer', request)
  return command(context, 'createProductOffer', request, async () => {
    const existing = request.offerId ? await findOffer(context, request.offerId) : null
    if (existing) {
      const resourceId = existing.offerId
      const now = context.now()
      if (existing.contentHash === contentHash) {
        return { result: offerAt(existing, now), resourceId }
      }
      throw new Problem('RESOURCE_EXISTS', { resourceId })
    }
    const { product, quote } = await pricedVersion(context, request)
    const customer = await namedCustomer(context, request.customerId)
    const offerId = request.offerId ?? context.newId('offer')
    const stamp = { offerId, customer, contentHash, now: context.now() }
    const offer = draftOffer(request, product, quote, stamp)
    return {
      result: offer,
      resourceId: offerId,
      writes: [insertOffer(offer)],
      ...publish(offer, 'products.offer.created'),
    }
  })
}

/** Publishes a draft offer. Throws OFFER_NOT_FOUND, and whatever `publishOffer` throws. */
export function publishProductOffer(context: Context, offerId: string): Promise<ProductOffer> {
  const eventType = 'products.offer.published'
  return changeOffer(context, 'publishProductOffer', offerId, eventType, async (offer, now) => {
    const [quote, product] = await Promise.all([
      findQuote(context, offer.pricingQuoteId),
      productOf(context, offer),
    ])
    return publishOffer(offer, quote!, product, now)
  })
}

/** Accepts a published offer. Throws OFFER_NOT_FOUND, and whatever `acceptOffer` throws. */
export function acceptProductOffer(context: Context, offerId: string): Promise<ProductOffer> {
  const eventType = 'products.offer.accepted'
  return changeOffer(context, 'acceptProductOffer', offerId, eventType, async (offer, now) =>
    acceptOffer(offer, await productOf(context, offer), now),
  )
}

/** Withdraws a published offer. Throws OFFER_NOT_FOUND, INVALID_STATE_TRANSITION. */
export function withdrawProductOffer(context: Context, offerId: string): Promise<ProductOffer> {
  const eventType = 'products.offer.withdrawn'
  return changeOffer(context, 'withdrawProductOffer', offerId, eventType, withdrawOffer)
}

function changeOffer(
  context: Context,
  operation: string,
  offerId: string,
  eventType: string,
  decide: (offer: ProductOffer, now: Date) => ProductOffer | Promise<ProductOffer>,
): Promise<ProductOffer> {
  return command(context, operation, { offerId }, async () => {
    const now = context.now()
    const storedOffer = await findOffer(context, offerId)
    const offer = storedOffer && offerAt(storedOffer, now)
    if (!offer || !maySeeOffer(context, offer)) {
      throw new Problem('OFFER_NOT_FOUND', { resourceId: offerId })
    }
    const decidedOffer = await decide(offer, now)
    const after = { ...decidedOffer, version: offer.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: offerId,
      writes: [updateOffer(after, offer.version)],
      ...publish(after, eventType),
    }
  })
}

/**
 * Returns the product version and the quote of a new offer. Throws PRODUCT_NOT_FOUND,
 * QUOTE_NOT_FOUND, and QUOTE_MISMATCH if the quote is for another product version or customer.
 */
async function pricedVersion(
  context: Context,
  { productId, version, pricingQuoteId, customerId }: NewOffer,
): Promise<{ product: Product; quote: PricingQuote }> {
  const productVersions = await findHeldVersions(context, productId)
  if (!productVersions) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
  const quote = await findQuote(context, pricingQuoteId)
  if (!quote) throw missingReference('QUOTE_NOT_FOUND', pricingQuoteId, '/pricingQuoteId')
  const product = chooseVersion(productVersions.versions, version ?? quote.productVersion)
  const isForVersion = quote.productId === productId && quote.productVersion === product?.version
  const isForCustomer = quote.customerId === null || quote.customerId === customerId
  if (product && isForVersion && isForCustomer) return { product, quote }
  const { productId: quotedProductId, productVersion, customerId: quotedCustomerId } = quote
  const forCustomer = quotedCustomerId === null ? '' : ` for ${quotedCustomerId}`
  const detail = `${pricingQuoteId} is a quote for ${quotedProductId} ${productVersion}${forCustomer}, not for this offer.`
  throw new Problem('QUOTE_MISMATCH', {
    detail,
    resourceId: pricingQuoteId,
    errors: [{ pointer: '/pricingQuoteId', code: 'QUOTE_MISMATCH', detail }],
  })
}

/** Returns the offered version. It always exists, because versions are never deleted. */
async function productOf(context: Context, offer: ProductOffer): Promise<Product> {
  const productVersions = await findHeldVersions(context, offer.productId)
  return chooseVersion(productVersions!.versions, offer.productVersion)!
}

/**
 * Reads the versions of a product for a command. Each change of a version publishes the product
 * fact, so holding the fact makes the commit fail after a concurrent change.
 */
async function findHeldVersions(
  context: Context,
  productId: string,
): Promise<ProductVersions | null> {
  await readHeldFacts(context, [`product/${productId}`])
  return findProductVersions(context, productId)
}

/** Returns the event and the fact of an offer, for the commit that publishes them. */
export function publish(offer: ProductOffer, type: string) {
  const subject = `offer/${offer.offerId}`
  const data = eventDataOf(OfferModel, offer)
  const parties = offer.partyId === null ? [] : [offer.partyId]
  return {
    events: [{ type, subject, version: offer.version, data, parties }],
    facts: [{ subject, data }],
  }
}

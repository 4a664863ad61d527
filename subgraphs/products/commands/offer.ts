import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { requirePartyUnrestricted } from '../../../kernel/lifecycle/restricted.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import { draftOffer, offerAt, type OfferRequest } from '../domain/offer.ts'
import { chooseVersion, type ProductVersions } from '../domain/product.ts'
import { offerEvents, type OfferEvent } from '../events.ts'
import type { ProductOffer } from '../model/offer.ts'
import type { PricingQuote } from '../model/pricing-quote.ts'
import type { Product } from '../model/product.ts'
import { namedCustomer } from './pricing-quote.ts'
import { maySeeOffer, offerTable } from '../store/offer.ts'
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
 * INVALID_DATE_RANGE, PROCESSING_RESTRICTED.
 */
export function createOffer(context: Context, request: NewOffer): Promise<ProductOffer> {
  const contentHash = fingerprint('createProductOffer', request)
  return command(context, 'createProductOffer', request, async () => {
    const existing = request.offerId ? await offerTable.find(context, request.offerId) : null
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
    if (customer) await requirePartyUnrestricted(context, customer.partyId)
    const offerId = request.offerId ?? context.newId('offer')
    const stamp = { offerId, customer, contentHash, now: context.now() }
    const offer = draftOffer(request, product, quote, stamp)
    return {
      result: offer,
      resourceId: offerId,
      writes: [offerTable.insert(offer)],
      ...publish(offer, 'products.offer.created'),
    }
  })
}

/**
 * Changes an offer that is visible to the caller, and publishes its event and its fact. Throws
 * OFFER_NOT_FOUND, and whatever `decide` throws.
 */
export function changeOffer(
  context: Context,
  operation: string,
  input: object,
  offerId: string,
  event: OfferEvent,
  decide: (offer: ProductOffer, now: Date) => ProductOffer | Promise<ProductOffer>,
): Promise<ProductOffer> {
  return command(context, operation, input, async () => {
    const now = context.now()
    const storedOffer = await offerTable.find(context, offerId)
    const offer = storedOffer && offerAt(storedOffer, now)
    if (!offer || !maySeeOffer(context, offer)) {
      throw new Problem('OFFER_NOT_FOUND', { resourceId: offerId })
    }
    const decidedOffer = await decide(offer, now)
    const after = { ...decidedOffer, version: offer.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: offerId,
      writes: [offerTable.update(offer, after)],
      ...publish(after, event),
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
  const productVersions = await findVersionsForCommit(context, productId)
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
export async function offeredVersion(context: Context, offer: ProductOffer): Promise<Product> {
  const productVersions = await findVersionsForCommit(context, offer.productId)
  return chooseVersion(productVersions!.versions, offer.productVersion)!
}

/**
 * Reads the versions of a product for a command. Every change of a version publishes the product
 * fact again, and the commit fails if this fact has changed since it was read here.
 */
async function findVersionsForCommit(
  context: Context,
  productId: string,
): Promise<ProductVersions | null> {
  await readHeldFacts(context, [`product/${productId}`])
  return findProductVersions(context, productId)
}

/** Returns the event and the fact of an offer, for the commit that publishes them. */
export function publish(offer: ProductOffer, type: OfferEvent) {
  const parties = offer.partyId === null ? [] : [offer.partyId]
  const event = offerEvents.event(type, offer, parties)
  return { events: [event], facts: [{ subject: event.subject, data: offerEvents.snapshot(offer) }] }
}

import { fingerprint } from '../../../kernel/writing/answer.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { discountOf } from './campaign.ts'
import { chooseVersion } from '../domain/product.ts'
import { priceProduct, type PriceRequest } from '../domain/quote.ts'
import { quoteFact } from '../facts.ts'
import type { PricingQuote } from '../model/pricing-quote.ts'
import type { Product } from '../model/product.ts'
import { findProductVersions } from '../store/product.ts'
import { findQuote, insertQuote } from '../store/quote.ts'

export interface QuoteRequest extends PriceRequest {
  pricingQuoteId?: string | null
  productId: string
  version?: string | null
  customerId?: string | null
  /** The campaign whose discount applies. Mutually exclusive with `discountPct`. */
  campaignId?: string | null
}

/**
 * Creates a quote for a product version. Without a version, prices the active one, or else the
 * newest one. Repeating the request with the same ID and content returns the existing quote.
 * Throws RESOURCE_EXISTS, PRODUCT_NOT_FOUND, CUSTOMER_NOT_FOUND, VALIDATION_FAILED, and whatever
 * `priceProduct` and `discountOf` throw.
 */
export function createQuote(context: Context, request: QuoteRequest): Promise<PricingQuote> {
  const contentHash = fingerprint('createPricingQuote', request)
  return command(context, 'createPricingQuote', request, async () => {
    const requestedId = request.pricingQuoteId
    const existing = requestedId ? await findQuote(context, requestedId) : null
    if (existing) {
      const resourceId = existing.pricingQuoteId
      if (existing.contentHash === contentHash) return { result: existing, resourceId }
      throw new Problem('RESOURCE_EXISTS', { resourceId })
    }
    const pricingQuoteId = requestedId ?? context.newId('quote')
    const quote = await decideQuote(context, request, { pricingQuoteId, contentHash })
    const data = quoteFact(quote)
    const subject = `quote/${pricingQuoteId}`
    const parties = quote.partyId === null ? [] : [quote.partyId]
    return {
      result: quote,
      resourceId: pricingQuoteId,
      writes: [insertQuote(quote)],
      events: [{ type: 'pricing.quote.created', subject, version: 1, data, parties }],
      facts: [{ subject, data }],
    }
  })
}

/**
 * Returns the price of a product version without storing it. The quote has no ID and cannot be used.
 * Throws what `createQuote` throws, except RESOURCE_EXISTS.
 */
export function previewQuote(context: Context, request: QuoteRequest): Promise<PricingQuote> {
  return decideQuote(context, request, { pricingQuoteId: '', contentHash: '' })
}

async function decideQuote(
  context: Context,
  request: QuoteRequest,
  stamp: { pricingQuoteId: string; contentHash: string },
): Promise<PricingQuote> {
  const product = await namedVersion(context, request.productId, request.version)
  const customer = await namedCustomer(context, request.customerId)
  const { campaignId, productId } = request
  if (campaignId && request.discountPct) {
    const detail = 'Give either campaignId or discountPct, not both.'
    const errors = [{ pointer: '/campaignId', code: 'ONE_OF', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const target = { productId, customerId: customer?.customerId ?? null }
  const discount = campaignId ? await discountOf(context, campaignId, target) : {}
  return priceProduct(
    product,
    { ...request, ...discount },
    { ...stamp, customer, now: context.now() },
  )
}

/**
 * Returns the product version that the request body names. Throws PRODUCT_NOT_FOUND as an error of
 * the request body.
 */
export async function namedVersion(
  context: Context,
  productId: string,
  label: string | null | undefined,
): Promise<Product> {
  const productVersions = await findProductVersions(context, productId)
  const product = productVersions && chooseVersion(productVersions.versions, label)
  if (product) return product
  const pointer = productVersions ? '/version' : '/productId'
  throw missingReference('PRODUCT_NOT_FOUND', productId, pointer)
}

/**
 * Returns the customer that the request body names; null if it names none. Throws
 * CUSTOMER_NOT_FOUND as an error of the request body.
 */
export async function namedCustomer(
  context: Context,
  customerId: string | null | undefined,
): Promise<{ customerId: string; partyId: string } | null> {
  if (!customerId) return null
  const [fact] = await readFacts(context, [`customer/${customerId}`])
  if (!fact) throw missingReference('CUSTOMER_NOT_FOUND', customerId, '/customerId')
  return { customerId, partyId: fact['partyId'] as string }
}

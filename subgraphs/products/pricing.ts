import { fingerprint } from '../_kernel/answer.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { missingReference, Problem } from '../_kernel/domain/problem.ts'
import { readFacts } from '../_kernel/facts.ts'
import { discountOf } from './campaigns.ts'
import { chooseVersion, type Product } from './domain/product.ts'
import { priceProduct, type PriceAsked, type PricingQuote } from './domain/quote.ts'
import { quoteFact } from './facts.ts'
import { findLine } from './store/product.ts'
import { findQuote, insertQuote } from './store/quote.ts'

export interface QuoteAsked extends PriceAsked {
  pricingQuoteId?: string | null
  productId: string
  version?: string | null
  customerId?: string | null
  /** The campaign whose discount applies. */
  campaignId?: string | null
}

/**
 * Prices a version of a product, the active one when none is given. Repeating the same id and
 * content returns the existing quote.
 * Rejects with RESOURCE_EXISTS, PRODUCT_NOT_FOUND, CUSTOMER_NOT_FOUND, and as `priceProduct` and
 * `discountOf` reject with.
 */
export function createQuote(context: Context, asked: QuoteAsked): Promise<PricingQuote> {
  const contentHash = fingerprint('createPricingQuote', asked)
  return command(context, 'createPricingQuote', asked, async () => {
    const askedId = asked.pricingQuoteId
    const existing = askedId ? await findQuote(context, askedId) : null
    if (existing) {
      const resourceId = existing.pricingQuoteId
      if (existing.contentHash === contentHash) return { result: existing, resourceId }
      throw new Problem('RESOURCE_EXISTS', { resourceId })
    }
    const product = await namedVersion(context, asked.productId, asked.version)
    const customer = await namedCustomer(context, asked.customerId)
    const pricingQuoteId = askedId ?? context.newId('quote')
    const made = { pricingQuoteId, customer, contentHash, now: context.now() }
    const { campaignId, productId } = asked
    if (campaignId && asked.discountPct) {
      const detail = 'Give either campaignId or discountPct, not both.'
      const errors = [{ pointer: '/campaignId', code: 'ONE_OF', detail }]
      throw new Problem('VALIDATION_FAILED', { detail, errors })
    }
    const meant = { productId, customerId: customer?.customerId ?? null }
    const discount = campaignId ? await discountOf(context, campaignId, meant) : {}
    const quote = priceProduct(product, { ...asked, ...discount }, made)
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
 * The product version named in the request body. Rejects with PRODUCT_NOT_FOUND, as an error of the
 * request body.
 */
export async function namedVersion(
  context: Context,
  productId: string,
  label: string | null | undefined,
): Promise<Product> {
  const line = await findLine(context, productId)
  const product = line && chooseVersion(line.versions, label)
  if (product) return product
  throw missingReference('PRODUCT_NOT_FOUND', productId, line ? '/version' : '/productId')
}

/**
 * The customer named in the request body, if any. Rejects with CUSTOMER_NOT_FOUND, as an error of
 * the request body.
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

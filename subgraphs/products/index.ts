import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import { ProductOfferResolver } from './graph/offer.resolver.ts'
import { ProductResolver } from './graph/product.resolver.ts'
import { PricingQuoteResolver } from './graph/quote.resolver.ts'
import { CustomerStub } from './graph/stubs.types.ts'
import { expireOffers } from './offers.ts'
import { loadOffer } from './store/offer.ts'
import { loadProduct } from './store/product.ts'
import { loadQuote } from './store/quote.ts'

/** Products, Pricing. Entities are reached under the scope of the query for them. */
export const products: Subgraph = {
  name: 'products',
  resolvers: [ProductResolver, PricingQuoteResolver, ProductOfferResolver],
  types: [CustomerStub],
  references: {
    async Product(key: { productId: string; version: string }, context) {
      requireScope(context.caller, 'products:read')
      return loadProduct(context, key)
    },
    async PricingQuote({ pricingQuoteId }: { pricingQuoteId: string }, context) {
      requireScope(context.caller, 'offers:read')
      return loadQuote(context, pricingQuoteId)
    },
    async ProductOffer({ offerId }: { offerId: string }, context) {
      requireScope(context.caller, 'offers:read')
      return loadOffer(context, offerId)
    },
  },
  workers: [expireOffers],
}

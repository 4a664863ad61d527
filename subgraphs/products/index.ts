import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { endCampaigns } from './workers/campaigns.ts'
import { CampaignOperations, CustomerOffersResolver } from './graph/campaign.resolver.ts'
import { ProductOfferOperations, ProductOfferResolver } from './graph/offer.resolver.ts'
import { ProductOperations, ProductResolver } from './graph/product.resolver.ts'
import { PricingQuoteOperations, PricingQuoteResolver } from './graph/quote.resolver.ts'
import { expireOffers } from './workers/offers.ts'
import { loadCampaign } from './store/campaign.ts'
import { loadOffer } from './store/offer.ts'
import { loadProduct } from './store/product.ts'
import { loadQuote } from './store/quote.ts'

/**
 * The subgraph of products, pricing and campaigns. The resolver of an entity reference requires the
 * same scope as the queries for the entity.
 */
export const products: Subgraph = {
  name: 'products',
  resolvers: [
    ProductOperations,
    ProductResolver,
    PricingQuoteOperations,
    PricingQuoteResolver,
    ProductOfferOperations,
    ProductOfferResolver,
    CampaignOperations,
    CustomerOffersResolver,
  ],
  types: [],
  references: {
    async Product(key: { productId: string; version: string }, context) {
      requireScope(context.caller, 'products:read')
      return loadProduct(context, key)
    },
    Customer: ({ customerId }: { customerId: string }) => ({ customerId }),
    Campaign({ campaignId }: { campaignId: string }, context) {
      requireScope(context.caller, 'products:read')
      return loadCampaign(context, campaignId)
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
  workers: [expireOffers, endCampaigns],
}

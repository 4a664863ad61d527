import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { endCampaigns } from './workers/campaigns.ts'
import { CampaignOperations, CustomerOffersResolver } from './graph/campaign.resolver.ts'
import { ProductOfferOperations, ProductOfferResolver } from './graph/offer.resolver.ts'
import { ProductOperations, ProductResolver } from './graph/product.resolver.ts'
import { ReferenceRateOperations, ReferenceRateResolver } from './graph/reference-rate.resolver.ts'
import { SelfServiceOperations } from './graph/self-service.resolver.ts'
import { PricingQuoteOperations, PricingQuoteResolver } from './graph/quote.resolver.ts'
import { expireOffers } from './workers/offers.ts'
import { loadCampaign } from './store/campaign.ts'
import { loadOffer } from './store/offer.ts'
import { loadProduct } from './store/product.ts'
import { loadQuote } from './store/quote.ts'
import { loadReferenceRate } from './store/reference-rate.ts'

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
    ReferenceRateOperations,
    ReferenceRateResolver,
    SelfServiceOperations,
  ],
  types: [],
  references: {
    async Product(key: { productId: string; version: string }, context) {
      requireScope(context.caller, 'products:read')
      return loadProduct(context, key)
    },
    Customer: referenceByKey('customerId'),
    Campaign: referenceTo('products:read', 'campaignId', loadCampaign),
    ReferenceRate: referenceTo('products:read', 'referenceRateId', loadReferenceRate),
    PricingQuote: referenceTo('offers:read', 'pricingQuoteId', loadQuote),
    ProductOffer: referenceTo('offers:read', 'offerId', loadOffer),
  },
  workers: [expireOffers, endCampaigns],
}

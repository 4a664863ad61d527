import {
  date,
  decimal,
  amountMinor,
  currency,
  id,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  integer,
} from '../../kernel/events/event-data.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { campaignStatuses } from './domain/campaign.ts'
import { offerStatuses } from './domain/offer.ts'
import { productStatuses } from './domain/product.ts'

const productData = record({
  productId: id,
  version: text,
  name: text,
  productClass: text,
  status: oneOf(productStatuses),
  currencies: listOf(currency),
  effectiveFrom: orNull(date),
  effectiveTo: orNull(date),
})

const offerData = record({
  offerId: id,
  productId: id,
  productVersion: text,
  pricingQuoteId: id,
  customerId: orNull(id),
  status: oneOf(offerStatuses),
  channel: orNull(text),
  validFrom: instant,
  validTo: instant,
})

const quoteData = record({
  pricingQuoteId: id,
  productId: id,
  productVersion: text,
  customerId: orNull(id),
  currency,
  amountMinor: orNull(amountMinor),
  termMonths: orNull(integer),
  ratePct: orNull(decimal),
  aprcPct: orNull(decimal),
  ruleVersion: text,
  expiresAt: instant,
})

declareEvents(
  {
    'products.product.created': 'A product version was created.',
    'products.product.version-activated': 'A product version was put on offer.',
    'products.product.version-superseded': 'A product version was replaced by a newer version.',
    'products.product.suspended': 'A product version was suspended.',
    'products.product.resumed': 'A suspended product version was resumed.',
    'products.product.retired': 'A product version was retired.',
    'products.product.withdrawn': 'A draft product version was withdrawn.',
  },
  productData,
)

declareEvents(
  {
    'products.offer.created': 'A draft offer was created.',
    'products.offer.published': 'An offer was published.',
    'products.offer.accepted': 'A customer accepted an offer.',
    'products.offer.expired': 'An offer expired without being accepted.',
    'products.offer.withdrawn': 'An offer was withdrawn by the bank.',
  },
  offerData,
)

export const campaignEvents = declareEvents(
  {
    'products.campaign.created': 'A campaign was created.',
    'products.campaign.activated':
      'A campaign was activated. It applies from its first to its last day.',
    'products.campaign.ended': 'A campaign ended. Discounts and waivers already granted are kept.',
    'products.campaign.withdrawn': 'A campaign was withdrawn by the bank.',
  },
  record({
    campaignId: id,
    name: text,
    status: oneOf(campaignStatuses),
    productIds: listOf(id),
    segments: listOf(text),
    validFrom: date,
    validTo: date,
    discountPct: orNull(decimal),
    waivedFees: listOf(text),
  }),
)
export type CampaignEvent = keyof typeof campaignEvents

declareEvents(
  {
    'pricing.quote.created': 'A pricing quote was created.',
  },
  quoteData,
)

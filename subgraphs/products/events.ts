import {
  day,
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
  whole,
} from '../_kernel/event-data.ts'
import { declareEvents } from '../_kernel/events.ts'
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
  effectiveFrom: orNull(day),
  effectiveTo: orNull(day),
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
  termMonths: orNull(whole),
  ratePct: orNull(decimal),
  aprcPct: orNull(decimal),
  ruleVersion: text,
  expiresAt: instant,
})

declareEvents(
  {
    'products.product.created': 'A version of a product was written.',
    'products.product.version-activated': 'A version of a product is on offer.',
    'products.product.version-superseded': 'A newer version took the place of the one on offer.',
    'products.product.suspended': 'A version of a product is off offer for a while.',
    'products.product.resumed': 'A suspended version of a product is on offer again.',
    'products.product.retired': 'A version of a product ended for good.',
    'products.product.withdrawn': 'A draft of a product was given up.',
  },
  productData,
)

declareEvents(
  {
    'products.offer.created': 'An offer was drafted.',
    'products.offer.published': 'An offer is open to whom it is made.',
    'products.offer.accepted': 'A customer accepted an offer.',
    'products.offer.expired': 'An offer was open for as long as it was made.',
    'products.offer.withdrawn': 'The bank took an offer back.',
  },
  offerData,
)

export const campaignEvents = declareEvents(
  {
    'products.campaign.created': 'There is a new campaign.',
    'products.campaign.activated': 'A campaign applies, on its days.',
    'products.campaign.ended': 'A campaign is over; what it gave stays given.',
    'products.campaign.withdrawn': 'A campaign was taken back.',
  },
  record({
    campaignId: id,
    name: text,
    status: oneOf(campaignStatuses),
    productIds: listOf(id),
    segments: listOf(text),
    validFrom: day,
    validTo: day,
    discountPct: orNull(decimal),
    waivedFees: listOf(text),
  }),
)
export type CampaignEvent = keyof typeof campaignEvents

declareEvents(
  {
    'pricing.quote.created': 'A price was computed.',
  },
  quoteData,
)

import { eventsOf } from '../../kernel/domain/state-machine.ts'
import {
  declareRecordEvents,
  eventShapeOf,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import { Campaign, campaignStates } from './model/campaign.ts'
import { ProductOffer } from './model/offer.ts'
import { Product } from './model/product.ts'
import {
  decimal,
  amountMinor,
  currency,
  id,
  instant,
  orNull,
  record,
  text,
  integer,
} from '../../kernel/events/event-data.ts'
import { declareEvents } from '../../kernel/events/events.ts'

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
  eventShapeOf(Product),
)

declareEvents(
  {
    'products.offer.created': 'A draft offer was created.',
    'products.offer.published': 'An offer was published.',
    'products.offer.accepted': 'A customer accepted an offer.',
    'products.offer.expired': 'An offer expired without being accepted.',
    'products.offer.withdrawn': 'An offer was withdrawn by the bank.',
  },
  eventShapeOf(ProductOffer),
)

export const campaignEvents = declareRecordEvents('campaign', Campaign, {
  'products.campaign.created': 'A campaign was created.',
  ...eventsOf(campaignStates),
})
export type CampaignEvent = EventTypeOf<typeof campaignEvents>

declareEvents(
  {
    'pricing.quote.created': 'A pricing quote was created.',
  },
  quoteData,
)

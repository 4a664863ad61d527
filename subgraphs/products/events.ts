import { eventsOf } from '../../kernel/domain/state-machine.ts'
import {
  declareRecordEvents,
  declareSubject,
  eventShapeOf,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import { Campaign, campaignStates } from './model/campaign.ts'
import type { ProductEvent } from './domain/product.ts'
import { offerStates, ProductOffer } from './model/offer.ts'
import { PricingQuote } from './model/pricing-quote.ts'
import { ReferenceRate } from './model/reference-rate.ts'
import { Product, productStates } from './model/product.ts'
import { SelfServiceSetting, selfServiceSettingStates } from './model/self-service-setting.ts'
import {
  decimal,
  amountMinor,
  currency,
  date,
  id,
  instant,
  listOf,
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

const productEvents: Record<ProductEvent, string> = {
  'products.product.created': 'A product version was created.',
  'products.product.version-superseded': 'A product version was replaced by a newer version.',
  ...eventsOf(productStates),
}
// A reference to a version needs its label, which the subject of the events does not contain. So
// the subject has no type in the graph.
declareEvents(productEvents, eventShapeOf(Product))

export const offerEvents = declareRecordEvents('offer', ProductOffer, {
  'products.offer.created': 'A draft offer was created.',
  'products.offer.expired': 'An offer expired without being accepted.',
  ...eventsOf(offerStates),
})
export type OfferEvent = EventTypeOf<typeof offerEvents>

export const campaignEvents = declareRecordEvents('campaign', Campaign, {
  'products.campaign.created': 'A campaign was created.',
  ...eventsOf(campaignStates),
})
export type CampaignEvent = EventTypeOf<typeof campaignEvents>

export const referenceRateEvents = declareRecordEvents('reference-rate', ReferenceRate, {
  'products.reference-rate.created': 'A reference rate was created.',
})
export type ReferenceRateEvent = EventTypeOf<typeof referenceRateEvents>

declareEvents(
  {
    'products.reference-rate.fixings-recorded':
      'Fixings of a reference rate were recorded or corrected.',
  },
  record({
    referenceRateId: id,
    fixings: listOf(record({ fixedOn: date, ratePct: decimal, replacedRatePct: orNull(decimal) })),
    correctionReason: orNull(text),
  }),
)

export const selfServiceSettingEvents = declareRecordEvents(
  'self-service-setting',
  SelfServiceSetting,
  {
    'products.self-service-setting.proposed':
      'It was proposed whether customers may open accounts of a product themselves.',
    ...eventsOf(selfServiceSettingStates),
  },
)
export type SelfServiceSettingEvent = EventTypeOf<typeof selfServiceSettingEvents>

declareSubject('quote', PricingQuote)
declareEvents({ 'pricing.quote.created': 'A pricing quote was created.' }, quoteData)

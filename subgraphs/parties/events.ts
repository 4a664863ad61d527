import { eventsOf } from '../../kernel/domain/state-machine.ts'
import {
  declareRecordEvents,
  declareSubject,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import { Agreement, agreementStates } from './model/agreement.ts'
import { Customer, customerStates, kycStates } from './model/customer.ts'
import { Entitlement, entitlementStates } from './model/entitlement.ts'
import { Party, partyStates } from './model/party.ts'
import { PartyKind, PartyStatus, ContactChannel, EntitlementStatus } from './model/enumerations.ts'
import {
  amountMinor,
  currency,
  date,
  boolean,
  id,
  instant,
  listOf,
  mapOf,
  oneOf,
  orNull,
  record,
  text,
} from '../../kernel/events/event-data.ts'
import { entitlementRights } from '../../kernel/domain/entitlement.ts'
import { declareEvents } from '../../kernel/events/events.ts'

/**
 * The data of a party event. It contains the contact channels and communication preferences, but no
 * names or addresses.
 */
const partyData = record({
  partyId: id,
  kind: oneOf(PartyKind.values),
  status: oneOf(PartyStatus.values),
  deathRecordedAt: orNull(instant),
  language: text,
  channels: mapOf(ContactChannel.values, record({ verified: boolean })),
  marketingOptOut: boolean,
  marketingOptOutChannels: listOf(oneOf(ContactChannel.values)),
  suppressedChannels: listOf(oneOf(ContactChannel.values)),
  quietHours: orNull(record({ from: text, to: text, zone: text })),
  isRestricted: boolean,
})

const entitlementData = record({
  entitlementId: id,
  grantorPartyId: id,
  granteePartyId: id,
  resource: text,
  right: oneOf(entitlementRights),
  limit: orNull(record({ amountMinor, currency })),
  validTo: orNull(date),
  grantedAt: instant,
  isHolder: boolean,
  status: oneOf(EntitlementStatus.values),
})

const partyEvents = declareEvents(
  {
    'parties.party.created': 'A party was created.',
    'parties.party.updated': 'The name, language, time zone or an address of a party changed.',
    'parties.party.contact-point-verified': 'An address of a party was verified.',
    'parties.party.consent-changed': 'The communication preferences of a party changed.',
    'parties.party.restricted': 'The processing of the data of a party was restricted to storage.',
    'parties.party.restriction-lifted': 'The restriction of the processing of a party was lifted.',
    ...eventsOf(partyStates),
  },
  partyData,
)
declareSubject('party', Party)

export const customerEvents = declareRecordEvents('customer', Customer, {
  'parties.customer.created': 'A party became a prospective customer.',
  ...eventsOf(kycStates),
  'parties.customer.kyc-expired': 'The identity check of a customer expired.',
  ...eventsOf(customerStates),
})

export const agreementEvents = declareRecordEvents('agreement', Agreement, {
  'agreements.agreement.created': 'A draft agreement was created.',
  ...eventsOf(agreementStates),
  'agreements.agreement.expired': 'An agreement expired after its last day.',
})

const entitlementEvents = declareEvents(
  {
    'entitlements.entitlement.granted':
      'A party granted another party a right to one of its accounts or agreements.',
    ...eventsOf(entitlementStates),
  },
  entitlementData,
)
declareSubject('entitlement', Entitlement)

export type PartyEvent = keyof typeof partyEvents
export type CustomerEvent = EventTypeOf<typeof customerEvents>
export type AgreementEvent = EventTypeOf<typeof agreementEvents>
export type EntitlementEvent = keyof typeof entitlementEvents

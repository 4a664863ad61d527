import { eventShapeOf } from '../../kernel/events/record-data.ts'
import { Agreement } from './model/agreement.ts'
import { Customer } from './model/customer.ts'
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
  status: oneOf(EntitlementStatus.values),
})

export const partyEvents = declareEvents(
  {
    'parties.party.created': 'A party was created.',
    'parties.party.updated': 'The name, language, time zone or an address of a party changed.',
    'parties.party.contact-point-verified': 'An address of a party was verified.',
    'parties.party.consent-changed': 'The communication preferences of a party changed.',
    'parties.party.deceased': 'The death of a person was recorded.',
    'parties.party.closed': 'The relationship with a party ended.',
  },
  partyData,
)

export const customerEvents = declareEvents(
  {
    'parties.customer.created': 'A party became a prospective customer.',
    'parties.customer.kyc-started': 'The identity check of a customer was started.',
    'parties.customer.kyc-passed': 'A customer passed the identity check.',
    'parties.customer.kyc-failed': 'A customer failed the identity check.',
    'parties.customer.kyc-expired': 'The identity check of a customer expired.',
    'parties.customer.activated': 'A customer was activated or reactivated.',
    'parties.customer.suspended': 'A customer was suspended.',
    'parties.customer.closed': 'The customer relationship with a party ended.',
  },
  eventShapeOf(Customer),
)

export const agreementEvents = declareEvents(
  {
    'agreements.agreement.created': 'A draft agreement was created.',
    'agreements.agreement.sent-for-signature': 'An agreement was sent to its party for signature.',
    'agreements.agreement.signed': 'An agreement was signed and activated.',
    'agreements.agreement.activated': 'A suspended agreement was resumed.',
    'agreements.agreement.suspended': 'An agreement was suspended.',
    'agreements.agreement.terminated': 'An agreement was terminated before its last day.',
    'agreements.agreement.expired': 'An agreement expired after its last day.',
    'agreements.agreement.cancelled': 'An agreement was canceled before it was signed.',
  },
  eventShapeOf(Agreement),
)

const entitlementEvents = declareEvents(
  {
    'entitlements.entitlement.granted':
      'A party granted another party a right to one of its accounts or agreements.',
    'entitlements.entitlement.revoked':
      'An entitlement was revoked by the grantor, the grantee or the bank.',
  },
  entitlementData,
)

export type PartyEvent = keyof typeof partyEvents
export type CustomerEvent = keyof typeof customerEvents
export type AgreementEvent = keyof typeof agreementEvents
export type EntitlementEvent = keyof typeof entitlementEvents

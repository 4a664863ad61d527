import {
  amountMinor,
  currency,
  day,
  flag,
  id,
  instant,
  listOf,
  mapOf,
  oneOf,
  orNull,
  record,
  text,
} from '../_kernel/event-data.ts'
import { entitlementRights } from '../_kernel/domain/entitlement.ts'
import { declareEvents } from '../_kernel/events.ts'
import { agreementStatuses } from './domain/agreement.ts'
import { contactChannels } from './domain/contact.ts'
import { customerStatuses, kycStates } from './domain/customer.ts'
import { entitlementStatuses } from './domain/entitlement.ts'
import { partyKinds, partyStatuses } from './domain/party.ts'

/** How a party can be reached and what it objects to; no name, no address. */
const partyData = record({
  partyId: id,
  kind: oneOf(partyKinds),
  status: oneOf(partyStatuses),
  deathRecordedAt: orNull(instant),
  language: text,
  channels: mapOf(contactChannels, record({ verified: flag })),
  marketingOptOut: flag,
  marketingOptOutChannels: listOf(oneOf(contactChannels)),
  suppressedChannels: listOf(oneOf(contactChannels)),
  quietHours: orNull(record({ from: text, to: text, zone: text })),
})

const customerData = record({
  customerId: id,
  partyId: id,
  segment: orNull(text),
  status: oneOf(customerStatuses),
  kycState: oneOf(kycStates),
  kycExpiresOn: orNull(day),
})

const agreementData = record({
  agreementId: id,
  partyId: id,
  productCode: text,
  agreementType: text,
  status: oneOf(agreementStatuses),
  effectiveFrom: orNull(day),
  effectiveTo: orNull(day),
  signedAt: orNull(instant),
})

const entitlementData = record({
  entitlementId: id,
  grantorPartyId: id,
  granteePartyId: id,
  resource: text,
  right: oneOf(entitlementRights),
  limit: orNull(record({ amountMinor, currency })),
  validTo: orNull(day),
  grantedAt: instant,
  status: oneOf(entitlementStatuses),
})

export const partyEvents = declareEvents(
  {
    'parties.party.created': 'The bank knows a new person or organisation.',
    'parties.party.updated': 'The name, language, time zone or an address of a party changed.',
    'parties.party.contact-point-verified':
      'A party showed that it receives what an address is sent.',
    'parties.party.consent-changed': 'A party changed what it consents to be sent, and when.',
    'parties.party.deceased': 'A person died.',
    'parties.party.closed': 'The relation with a party ended.',
  },
  partyData,
)

export const customerEvents = declareEvents(
  {
    'parties.customer.created': 'A party became a prospective customer.',
    'parties.customer.kyc-started': 'The bank began to check who a customer is.',
    'parties.customer.kyc-passed': 'The identity of a customer is established, for a time.',
    'parties.customer.kyc-failed': 'The identity of a customer could not be established.',
    'parties.customer.kyc-expired': 'The check of a customer is too old to be relied on.',
    'parties.customer.activated': 'A customer may do new business, for the first time or again.',
    'parties.customer.suspended': 'A customer may do no new business for a while.',
    'parties.customer.closed': 'A party is no longer a customer.',
  },
  customerData,
)

export const agreementEvents = declareEvents(
  {
    'agreements.agreement.created': 'An agreement was drafted.',
    'agreements.agreement.sent-for-signature': 'An agreement was put before its party.',
    'agreements.agreement.signed': 'An agreement was signed and holds.',
    'agreements.agreement.activated': 'A suspended agreement holds again.',
    'agreements.agreement.suspended': 'An agreement is on hold.',
    'agreements.agreement.terminated': 'An agreement was ended before its last day.',
    'agreements.agreement.expired': 'The last day of an agreement has passed.',
    'agreements.agreement.cancelled': 'An agreement was given up before it was signed.',
  },
  agreementData,
)

const entitlementEvents = declareEvents(
  {
    'entitlements.entitlement.granted':
      'A party lets another use an account or an agreement of theirs.',
    'entitlements.entitlement.revoked': 'An entitlement was taken back or given up.',
  },
  entitlementData,
)

export type PartyEvent = keyof typeof partyEvents
export type CustomerEvent = keyof typeof customerEvents
export type AgreementEvent = keyof typeof agreementEvents
export type EntitlementEvent = keyof typeof entitlementEvents

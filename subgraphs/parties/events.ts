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
import { agreementStatuses } from './domain/agreement.ts'
import { contactChannels } from './domain/contact.ts'
import { customerStatuses, kycStates } from './domain/customer.ts'
import { entitlementStatuses } from './domain/entitlement.ts'
import { partyKinds } from './domain/party-name.ts'
import { partyStatuses } from './domain/party.ts'

/**
 * The data of a party event. It contains the contact channels and communication preferences, but no
 * names or addresses.
 */
const partyData = record({
  partyId: id,
  kind: oneOf(partyKinds),
  status: oneOf(partyStatuses),
  deathRecordedAt: orNull(instant),
  language: text,
  channels: mapOf(contactChannels, record({ verified: boolean })),
  marketingOptOut: boolean,
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
  kycExpiresOn: orNull(date),
})

const agreementData = record({
  agreementId: id,
  partyId: id,
  productCode: text,
  agreementType: text,
  status: oneOf(agreementStatuses),
  effectiveFrom: orNull(date),
  effectiveTo: orNull(date),
  signedAt: orNull(instant),
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
  status: oneOf(entitlementStatuses),
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
  customerData,
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
  agreementData,
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

import type { Agreement } from './domain/agreement.ts'
import type { Customer } from './domain/customer.ts'
import { preferredContactPoints, type Party } from './domain/party.ts'

/**
 * Returns the published fact of a party. It contains the contact channels and communication
 * preferences, but no names or addresses.
 */
export function partyFact(party: Party) {
  const channels = preferredContactPoints(party).map(({ channel, verified }) => [
    channel,
    { verified },
  ])
  return {
    partyId: party.partyId,
    kind: party.kind,
    status: party.status,
    deathRecordedAt: party.deathRecordedAt,
    language: party.language,
    channels: Object.fromEntries(channels) as Record<string, { verified: boolean }>,
    marketingOptOut: party.marketingOptOut,
    marketingOptOutChannels: party.marketingOptOutChannels,
    suppressedChannels: party.suppressedChannels,
    quietHours: party.quietHours,
  }
}

/** Returns the published fact of a customer: its status, segment and identity check. */
export function customerFact(customer: Customer) {
  const { customerId, partyId, segment, status, kycState, kycExpiresOn } = customer
  return { customerId, partyId, segment, status, kycState, kycExpiresOn }
}

/** Returns the data of the events of an agreement. */
export function agreementSnapshot(agreement: Agreement) {
  const { agreementId, partyId, productCode, agreementType, status } = agreement
  const { effectiveFrom, effectiveTo, signedAt } = agreement
  return {
    agreementId,
    partyId,
    productCode,
    agreementType,
    status,
    effectiveFrom,
    effectiveTo,
    signedAt,
  }
}

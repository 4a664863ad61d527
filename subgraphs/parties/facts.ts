import type { Agreement } from './domain/agreement.ts'
import type { Customer } from './domain/customer.ts'
import { reach, type Party } from './domain/party.ts'

/** What others may know of a party: how it can be reached and what it objects to; no name, no address. */
export function partyFact(party: Party) {
  const channels = reach(party).map(({ channel, verified }) => [channel, { verified }])
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

/** What others may know of a customer: whether business may be done with it, and on what terms. */
export function customerFact(customer: Customer) {
  const { customerId, partyId, segment, status, kycState, kycExpiresOn } = customer
  return { customerId, partyId, segment, status, kycState, kycExpiresOn }
}

/** An agreement as its events tell it. */
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

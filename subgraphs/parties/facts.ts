import { preferredContactPoints } from './domain/party.ts'
import type { Party } from './model/party.ts'

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
    isRestricted: party.restrictedAt !== null,
  }
}

import type { Category, Channel } from '../model/channel.ts'
import type { SuppressionReason } from '../model/notification.ts'

/** A party's contact preferences and addresses, as published by the parties area. */
export interface Reachability {
  partyId: string
  status: 'active' | 'deceased' | 'closed'
  language: string
  channels: Partial<Record<Channel, { verified: boolean }>>
  marketingOptOut: boolean
  marketingOptOutChannels?: readonly Channel[]
  suppressedChannels: readonly Channel[]
  quietHours: { from: string; to: string; zone: string } | null
  isRestricted?: boolean
}

/**
 * Returns why a party must not be notified at the given time; null if it may be notified. Deceased
 * and closed parties, restricted processing, suppressed channels and unverified addresses are excluded. Opt-outs and quiet
 * hours apply only to marketing.
 */
export function suppressionOf(
  party: Reachability,
  channel: Channel,
  category: Category,
  at: Date,
): SuppressionReason | null {
  if (party.status === 'deceased') return 'deceased'
  if (party.status === 'closed') return 'party-closed'
  // GDPR article 18(2): what a law requires the bank to send is still sent.
  if (party.isRestricted && category !== 'regulatory') return 'processing-restricted'
  if (party.suppressedChannels.includes(channel)) return 'suppression-list'
  const isMarketing = category === 'marketing'
  const isOptedOut = party.marketingOptOut || party.marketingOptOutChannels?.includes(channel)
  if (isMarketing && isOptedOut) return 'opted-out'
  if (!party.channels[channel]?.verified) return 'no-verified-contact'
  if (isMarketing && party.quietHours && isQuiet(party.quietHours, at)) return 'quiet-hours'
  return null
}

/**
 * Returns whether an instant is within quiet hours. The hours are in their own time zone; `to` is
 * exclusive.
 */
export function isQuiet(hours: NonNullable<Reachability['quietHours']>, at: Date): boolean {
  const { from, to, zone } = hours
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  return from < to ? time >= from && time < to : time >= from || time < to
}

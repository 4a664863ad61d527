import type { Channel } from './channel.ts'

export const categories = ['service', 'marketing', 'regulatory'] as const
/** Why a bank writes: about its service, to sell, or because the law says so. */
export type Category = (typeof categories)[number]

export const suppressionReasons = [
  'deceased',
  'party-closed',
  'suppression-list',
  'opted-out',
  'no-verified-contact',
  'quiet-hours',
  'cancelled',
] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

/** What the bank knows of a party's wishes and addresses, as the party's own area publishes it. */
export interface Reachability {
  partyId: string
  status: 'active' | 'deceased' | 'closed'
  language: string
  channels: Partial<Record<Channel, { verified: boolean }>>
  marketingOptOut: boolean
  marketingOptOutChannels?: readonly Channel[]
  suppressedChannels: readonly Channel[]
  quietHours: { from: string; to: string; zone: string } | null
}

/**
 * Why a party must not be written to at that moment, or null. Nothing goes to the dead, to closed
 * relations, over a suppressed channel or to an address nobody verified; consent and quiet hours
 * are about marketing only.
 */
export function suppressionOf(
  party: Reachability,
  channel: Channel,
  category: Category,
  at: Date,
): SuppressionReason | null {
  if (party.status === 'deceased') return 'deceased'
  if (party.status === 'closed') return 'party-closed'
  if (party.suppressedChannels.includes(channel)) return 'suppression-list'
  const isMarketing = category === 'marketing'
  const isOptedOut = party.marketingOptOut || party.marketingOptOutChannels?.includes(channel)
  if (isMarketing && isOptedOut) return 'opted-out'
  if (!party.channels[channel]?.verified) return 'no-verified-contact'
  if (isMarketing && party.quietHours && isQuiet(party.quietHours, at)) return 'quiet-hours'
  return null
}

/** Whether an instant lies in the hours, on the clock of their zone: from the first minute, until before the last. */
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

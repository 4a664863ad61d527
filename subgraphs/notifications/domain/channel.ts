/** The ways to write to a party, as the specification names them. */
export const channels = ['email', 'sms', 'push', 'secure-message'] as const
export type Channel = (typeof channels)[number]

/** The most characters of a body: ten segments of an SMS, what a lock screen shows, what a column of text takes. */
export const longestBody: Readonly<Record<Channel, number>> = {
  email: 16_000,
  sms: 1530,
  push: 240,
  'secure-message': 16_000,
}

/** Whether messages of the channel have a subject line. */
export function hasSubject(channel: Channel): boolean {
  return channel === 'email' || channel === 'secure-message'
}

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

/** The most characters of a message with its values filled in, where the channel itself has no limit. */
const longestWritten = 200_000

/** Why a rendered body cannot be sent over the channel, or null. */
export function unsendable(channel: Channel, body: string): 'empty-body' | 'body-too-long' | null {
  if (body.trim() === '') return 'empty-body'
  const most = hasSubject(channel) ? longestWritten : longestBody[channel]
  return body.length > most ? 'body-too-long' : null
}

/** Whether messages of the channel have a subject line. */
export function hasSubject(channel: Channel): boolean {
  return channel === 'email' || channel === 'secure-message'
}

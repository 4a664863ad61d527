import { Problem } from '../../_kernel/domain/problem.ts'

/** The channels for notifying a party, as named in the specification. */
export const channels = ['email', 'sms', 'push', 'secure-message'] as const
export type Channel = (typeof channels)[number]

/** The maximum length of a body in characters: ten SMS segments, a lock screen, a Text scalar. */
export const longestBody: Readonly<Record<Channel, number>> = {
  email: 16_000,
  sms: 1530,
  push: 240,
  'secure-message': 16_000,
}

/**
 * The maximum length of a rendered body in characters, for channels without a limit of their own.
 */
const longestWritten = 200_000

/** Why a rendered body cannot be sent over the channel; null if it can. */
export function unsendable(channel: Channel, body: string): 'empty-body' | 'body-too-long' | null {
  if (body.trim() === '') return 'empty-body'
  const most = hasSubject(channel) ? longestWritten : longestBody[channel]
  return body.length > most ? 'body-too-long' : null
}

/** Whether messages of the channel have a subject line. */
export function hasSubject(channel: Channel): boolean {
  return channel === 'email' || channel === 'secure-message'
}

/** The setting that connects the provider of a channel; secure messages need none. */
const settings: Readonly<Record<Channel, string | null>> = {
  email: 'SMTP_URL',
  sms: 'SMS_URL',
  push: 'PUSH_URL',
  'secure-message': null,
}

/** Refuses with CHANNEL_NOT_CONFIGURED a channel that is not among those with a provider. */
export function requireConfigured(channel: Channel, configured: readonly Channel[]): void {
  if (configured.includes(channel)) return
  const code = 'CHANNEL_NOT_CONFIGURED'
  const detail =
    `The bank has no provider for ${channel}. Set ${settings[channel]} to connect one, ` +
    `or use ${configured.join(' or ')}.`
  throw new Problem(code, {
    detail,
    errors: [{ pointer: '/channel', code, detail, allowed: [...configured] }],
  })
}

import type { Channel } from '../model/channel.ts'
import { hasAtMost } from '../../../kernel/domain/text-length.ts'
import { Problem } from './problems.ts'

/**
 * The maximum length of a template's body, in characters. SMS: ten segments. Push: what a lock
 * screen shows. Email and secure messages: the limit of the `Text` scalar.
 */
export const maxBodyLength: Readonly<Record<Channel, number>> = {
  email: 16_000,
  sms: 1530,
  push: 240,
  'secure-message': 16_000,
}

/**
 * The maximum length of a rendered email or secure message, in characters. Rendered messages of the
 * other channels are limited by `maxBodyLength`.
 */
const maxRenderedLength = 200_000

/** Returns why a rendered body cannot be sent over the channel; null if it can be sent. */
export function unsendable(channel: Channel, body: string): 'empty-body' | 'body-too-long' | null {
  if (body.trim() === '') return 'empty-body'
  const max = hasSubject(channel) ? maxRenderedLength : maxBodyLength[channel]
  return !hasAtMost(max, body) ? 'body-too-long' : null
}

/** Returns whether messages of the channel have a subject line. */
export function hasSubject(channel: Channel): boolean {
  return channel === 'email' || channel === 'secure-message'
}

/**
 * The setting that configures the provider of a channel; null for secure messages, which need none.
 */
const settings: Readonly<Record<Channel, string | null>> = {
  email: 'SMTP_URL',
  sms: 'SMS_URL',
  push: 'PUSH_URL',
  'secure-message': null,
}

/** Checks that a channel has a provider. Throws CHANNEL_NOT_CONFIGURED. */
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

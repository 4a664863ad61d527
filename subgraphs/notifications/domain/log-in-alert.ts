import type { Channel } from './channel.ts'
import type { Reachability } from './suppression.ts'

/** The failure of a series at which its person is notified; further ones are events only. */
const notifiedAt = 10

/** The template of the alert, for every channel that has one. */
export const logInAlertTemplate = 'tpl_log_in_alert'

/** Channels of an alert, the first that reaches the person soonest. */
const preferred: readonly Channel[] = ['push', 'sms', 'email', 'secure-message']

/** The channels over which a person can be reached, best first; the secure inbox is always one. */
export function alertChannels({ channels, suppressedChannels }: Reachability): Channel[] {
  return preferred.filter(
    (channel) =>
      channel === 'secure-message' ||
      (channels[channel]?.verified === true && !suppressedChannels.includes(channel)),
  )
}

/** The content of the alert; null for failures that are not the one a series is notified at. */
export function alertOf(failures: number, at: Date) {
  if (failures !== notifiedAt) return null
  const personalization = { failures: String(failures), time: at.toISOString() }
  return { templateCode: logInAlertTemplate, personalization }
}

import type { Channel } from '../model/channel.ts'
import type { Reachability } from './suppression.ts'

/**
 * The number of failures in a series at which the person is alerted. Later failures only emit
 * events.
 */
const alertThreshold = 10

/** The code of the alert's templates. A channel may have no template with this code. */
export const logInAlertTemplate = 'tpl_log_in_alert'

/** The channels for alerts, the fastest one first. */
const channelsByPreference: readonly Channel[] = ['push', 'sms', 'email', 'secure-message']

/**
 * Returns the channels over which a person can be reached, best first. The secure inbox is always
 * included.
 */
export function alertChannels({ channels, suppressedChannels }: Reachability): Channel[] {
  return channelsByPreference.filter(
    (channel) =>
      channel === 'secure-message' ||
      (channels[channel]?.verified === true && !suppressedChannels.includes(channel)),
  )
}

/**
 * Returns the content of the alert; null unless the series has just reached the number of failures
 * at which the person is alerted.
 */
export function alertOf(failures: number, at: Date) {
  if (failures !== alertThreshold) return null
  const personalization = { failures: String(failures), time: at.toISOString() }
  return { templateCode: logInAlertTemplate, personalization }
}

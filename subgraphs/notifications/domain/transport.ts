import { addMs } from '../../_kernel/domain/dates.ts'
import type { Channel } from './channel.ts'
import { fail, send, type Attempt, type Notification } from './notification.ts'

/** A message as it is handed to whoever carries it. */
export interface Message {
  notificationId: string
  partyId: string
  channel: Channel
  address: string
  displayName: string
  subject: string | null
  body: string
}

/** What became of one message: taken, refused for good, or to be tried again later. */
export interface Outcome {
  notificationId: string
  result: Attempt['outcome']
  reason: string | null
}

/** Carries messages. It may be given a message twice after a crash, under the same id. */
export interface Transport {
  /** The `provider` of delivery reports. */
  name: string
  /** Whether a message is delivered once it was handed over. */
  delivers: boolean
  /** Whether its messages are stored in the bank, in the commit that marks them as sent. */
  isStored: boolean
  send(messages: readonly Message[]): Promise<Outcome[]>
}

export const mostAttempts = 5
const firstPauseMs = 30_000

/** How long to wait after so many deferred attempts: 30 s, and twice as long each time. */
export function pauseMs(attempts: number): number {
  return firstPauseMs * 2 ** (attempts - 1)
}

/**
 * What an attempt makes of an accepted message: sent, failed when it was refused or deferred for
 * the fifth time, otherwise accepted still and due again after a pause.
 * Refuses with INVALID_STATE_TRANSITION.
 */
export function afterAttempt(
  notification: Notification,
  { result, reason }: Outcome,
  delivers: boolean,
  now: Date,
): Notification {
  const attempt: Attempt = { at: now.toISOString(), outcome: result, reason }
  if (result === 'handed-over') return send(notification, attempt, delivers)
  const attempts = [...notification.attempts, attempt]
  if (result === 'refused' || attempts.length >= mostAttempts) {
    return { ...fail(notification, reason ?? result), attempts }
  }
  return { ...notification, attempts, dueAt: addMs(now, pauseMs(attempts.length)), leaseId: null }
}

/**
 * Whether a message was taken by the simulator. Messages of an older release that went to the
 * inbox over another channel than secure messages were simulated, too.
 */
export function isSimulated({ provider, channel }: Pick<Notification, 'provider' | 'channel'>) {
  return provider === 'simulator' || (provider === 'mailbox' && channel !== 'secure-message')
}

import { addMs } from '../../_kernel/domain/dates.ts'
import type { Channel } from './channel.ts'
import { fail, send, type Attempt, type Notification } from './notification.ts'

/** A message as handed to a delivery provider. */
export interface Message {
  notificationId: string
  partyId: string
  channel: Channel
  address: string
  displayName: string
  subject: string | null
  body: string
}

/** The result for one message: taken, refused permanently, or to be retried. */
export interface Outcome {
  notificationId: string
  result: Attempt['outcome']
  reason: string | null
}

/** A delivery provider. After a crash it can receive the same message again, under the same id. */
export interface Transport {
  /** The name of the provider in delivery reports. */
  name: string
  /** Whether handing a message over delivers it. */
  delivers: boolean
  /** Whether its messages are stored in the bank, in the commit that marks them as sent. */
  isStored: boolean
  send(messages: readonly Message[]): Promise<Outcome[]>
}

export const mostAttempts = 5
const firstPauseMs = 30_000

/**
 * The delay after a number of deferred attempts, in milliseconds: 30 seconds, doubling each time.
 */
export function pauseMs(attempts: number): number {
  return firstPauseMs * 2 ** (attempts - 1)
}

/**
 * Applies the result of an attempt to an accepted notification: it is sent, failed (if refused, or
 * deferred for the fifth time), or stays accepted and is retried after a delay.
 * Throws INVALID_STATE_TRANSITION.
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

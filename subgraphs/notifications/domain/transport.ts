import { addMs } from '../../../kernel/domain/dates.ts'
import type { Channel } from '../model/channel.ts'
import { fail, send } from './notification.ts'
import type { NotificationAttempt, Notification } from '../model/notification.ts'

/** A message in the form in which a delivery provider receives it. */
export interface Message {
  notificationId: string
  partyId: string
  channel: Channel
  address: string
  displayName: string
  subject: string | null
  body: string
}

/**
 * The result of an attempt for one message: handed over, rejected permanently, or deferred for a
 * retry.
 */
export interface Outcome {
  notificationId: string
  result: NotificationAttempt['outcome']
  reason: string | null
}

/** A delivery provider. After a crash it can receive the same message again, with the same ID. */
export interface Transport {
  /** The name of the provider in delivery reports. */
  name: string
  /** Whether a message is delivered as soon as the provider accepts it. */
  delivers: boolean
  /** Whether the bank stores the messages itself, in the commit that marks them as sent. */
  isStored: boolean
  send(messages: readonly Message[]): Promise<Outcome[]>
}

export const maxAttempts = 5
const firstDelayMs = 30_000

/**
 * Returns the delay before the next attempt, in milliseconds: 30 s after the first deferred
 * attempt, doubled after each further one.
 */
export function retryDelayMs(attempts: number): number {
  return firstDelayMs * 2 ** (attempts - 1)
}

/**
 * Applies the result of an attempt to an accepted notification. A message that was handed over is
 * sent. The notification fails if the message was rejected, or deferred for the fifth time.
 * Otherwise it stays accepted and is retried after a delay.
 * Throws INVALID_STATE_TRANSITION.
 */
export function afterAttempt(
  notification: Notification,
  { result, reason }: Outcome,
  delivers: boolean,
  now: Date,
): Notification {
  const attempt: NotificationAttempt = { at: now.toISOString(), outcome: result, reason }
  if (result === 'handed-over') return send(notification, attempt, delivers)
  const attempts = [...notification.attempts, attempt]
  if (result === 'refused' || attempts.length >= maxAttempts) {
    return { ...fail(notification, reason ?? result), attempts }
  }
  return {
    ...notification,
    attempts,
    dueAt: addMs(now, retryDelayMs(attempts.length)),
    leaseId: null,
  }
}

/**
 * Returns whether the simulator sent a message. An older release recorded simulated messages under
 * the provider `mailbox`; among these, only secure messages were real.
 */
export function isSimulated({ provider, channel }: Pick<Notification, 'provider' | 'channel'>) {
  return provider === 'simulator' || (provider === 'mailbox' && channel !== 'secure-message')
}

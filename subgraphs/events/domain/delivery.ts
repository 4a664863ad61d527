import type { DeliveryStatus } from '../model/enumerations.ts'
import { addMs, dayMs, minuteMs } from '../../../kernel/domain/dates.ts'
import type { Transitions } from '../../../kernel/domain/states.ts'

/** Only a replay makes a dead letter `pending`. A delivered event is repeated as a new delivery. */
export const deliveryTransitions: Transitions<DeliveryStatus> = {
  pending: ['delivered', 'retrying'],
  retrying: ['delivered', 'dead-lettered'],
  delivered: [],
  'dead-lettered': ['pending'],
}

const hourMs = 60 * minuteMs
/** The delay before each retry. The nine retries take about three days. */
export const retryDelaysMs = [
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const
/** Each delay varies by up to 10 %, so that deliveries that failed together are retried apart. */
const jitter = 0.1
/** The maximum delay that is accepted from `Retry-After`. */
const maxWaitMs = dayMs

/** The response of an endpoint to an attempt. */
export interface Answer {
  /** The HTTP status code; null if there was no response. */
  statusCode: number | null
  /** The value of the `Retry-After` header; null if there is none. */
  retryAfter: string | null
}

/** The state of a delivery after an attempt. */
export interface AfterAttempt {
  status: Exclude<DeliveryStatus, 'pending'>
  /** The number of retries scheduled so far. */
  step: number
  /** The time of the next attempt; null if there is none. */
  nextAt: Date | null
  /**
   * The time requested by `Retry-After` of a 429 or 503 response; null if there is none or no retry
   * follows.
   */
  retryAfter: Date | null
  /** Whether the endpoint responded with 410 (Gone). */
  isGone: boolean
}

/**
 * Returns the state of a delivery after an attempt. A 2xx status code means that the event is
 * delivered. Any other result, including a redirect, is retried as long as the retry schedule has
 * another delay. For 429 and 503, the retry is not before the time of `Retry-After`. `random` is
 * from 0 to 1.
 */
export function afterAttempt(
  step: number,
  answer: Answer,
  now: Date,
  random: number,
): AfterAttempt {
  const { statusCode } = answer
  const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300
  const outcome = { step, nextAt: null, retryAfter: null, isGone: statusCode === 410 }
  if (isDelivered) return { ...outcome, status: 'delivered' }
  const delayMs = retryDelaysMs[step]
  if (delayMs === undefined) return { ...outcome, status: 'dead-lettered' }
  const isBusy = statusCode === 429 || statusCode === 503
  const retryAfter = isBusy ? parseRetryAfter(answer.retryAfter, now) : null
  const scheduledAt = addMs(now, Math.round(delayMs * (1 + jitter * (2 * random - 1))))
  const nextAt = retryAfter && retryAfter > scheduledAt ? retryAfter : scheduledAt
  return { ...outcome, status: 'retrying', step: step + 1, nextAt, retryAfter }
}

/**
 * Returns the time that `Retry-After` requests (RFC 9110: seconds or a date), but at most one day
 * after `now`. Returns null if the value is invalid or not in the future.
 */
export function parseRetryAfter(value: string | null, now: Date): Date | null {
  if (value === null) return null
  const text = value.trim()
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return waitMs > 0 ? addMs(now, Math.min(waitMs, maxWaitMs)) : null
}

/** The effect of a replay on one event. */
export type ReplayStep = 'plan' | 'repeat' | 'revive' | 'leave'

/**
 * Returns what a replay does with an event: `plan` if it has no delivery, `repeat` if it was
 * delivered, `revive` if it is a dead letter, and `leave` if its delivery is in progress.
 */
export function replayStep(status: DeliveryStatus | null): ReplayStep {
  if (status === null) return 'plan'
  if (status === 'delivered') return 'repeat'
  return status === 'dead-lettered' ? 'revive' : 'leave'
}

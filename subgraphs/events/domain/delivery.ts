import { addMs, dayMs, minuteMs } from '../../_kernel/domain/dates.ts'
import type { Transitions } from '../../_kernel/domain/states.ts'

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead-lettered'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Only a replay revives a dead letter. A delivered event is repeated as a new delivery. */
export const deliveryMoves: Transitions<DeliveryStatus> = {
  pending: ['delivered', 'retrying'],
  retrying: ['delivered', 'dead-lettered'],
  delivered: [],
  'dead-lettered': ['pending'],
}

const hour = 60 * minuteMs
/** The delays before each retry: nine retries over about three days. */
export const retryDelaysMs = [
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const
/** Jitter of up to a tenth, so that deliveries that failed together are not retried together. */
const jitter = 0.1
const longestWaitMs = dayMs

/** The response of an endpoint to an attempt. */
export interface Answer {
  /** null when there was no response. */
  statusCode: number | null
  /** The value of the `Retry-After` header. */
  retryAfter: string | null
}

/** The state of a delivery after an attempt. */
export interface AfterAttempt {
  status: Exclude<DeliveryStatus, 'pending'>
  step: number
  nextAt: Date | null
  /** The time requested by `Retry-After`; null when there is none. */
  retryAfter: Date | null
  isGone: boolean
}

/**
 * Decides the state after an attempt: 2xx delivers; anything else, including redirects, is retried
 * according to the schedule until it is used up. `Retry-After` is honored for 429 and 503. 410
 * marks the endpoint as gone. `random` is from 0 to 1.
 */
export function afterAttempt(
  step: number,
  answer: Answer,
  now: Date,
  random: number,
): AfterAttempt {
  const { statusCode } = answer
  const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300
  const settled = { step, nextAt: null, retryAfter: null, isGone: statusCode === 410 }
  if (isDelivered) return { ...settled, status: 'delivered' }
  const delayMs = retryDelaysMs[step]
  if (delayMs === undefined) return { ...settled, status: 'dead-lettered' }
  const isBusy = statusCode === 429 || statusCode === 503
  const retryAfter = isBusy ? parseRetryAfter(answer.retryAfter, now) : null
  const planned = addMs(now, Math.round(delayMs * (1 + jitter * (2 * random - 1))))
  const nextAt = retryAfter && retryAfter > planned ? retryAfter : planned
  return { ...settled, status: 'retrying', step: step + 1, nextAt, retryAfter }
}

/**
 * Parses `Retry-After` (RFC 9110: seconds or a date), capped at one day ahead; null when it is
 * invalid or in the past.
 */
export function parseRetryAfter(value: string | null, now: Date): Date | null {
  if (value === null) return null
  const text = value.trim()
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return waitMs > 0 ? addMs(now, Math.min(waitMs, longestWaitMs)) : null
}

/** The effect of a replay on one event. */
export type ReplayStep = 'plan' | 'repeat' | 'revive' | 'leave'

/**
 * A dead letter is revived, a delivered event is repeated, an event without a delivery is planned,
 * and a delivery in progress is left alone.
 */
export function replayStep(status: DeliveryStatus | null): ReplayStep {
  if (status === null) return 'plan'
  if (status === 'delivered') return 'repeat'
  return status === 'dead-lettered' ? 'revive' : 'leave'
}

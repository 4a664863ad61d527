import { addMs, dayMs, minuteMs } from '../../_kernel/domain/dates.ts'
import type { Transitions } from '../../_kernel/domain/states.ts'

export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'dead-lettered'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Only a replay takes a dead letter up again; a delivered event is repeated as another delivery. */
export const deliveryMoves: Transitions<DeliveryStatus> = {
  pending: ['delivered', 'retrying'],
  retrying: ['delivered', 'dead-lettered'],
  delivered: [],
  'dead-lettered': ['pending'],
}

const hour = 60 * minuteMs
/** How long after a failure it is tried again: nine times over some three days. */
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
/** Delays differ by up to a tenth, so that those which failed together do not come back together. */
const jitter = 0.1
const longestWaitMs = dayMs

/** What a receiver made of one attempt. */
export interface Answer {
  /** null when none came. */
  statusCode: number | null
  /** The value of `Retry-After`. */
  retryAfter: string | null
}

/** What becomes of a delivery after an attempt. */
export interface AfterAttempt {
  status: Exclude<DeliveryStatus, 'pending'>
  step: number
  nextAt: Date | null
  /** Until when the receiver asked to be left alone. */
  retryAfter: Date | null
  isGone: boolean
}

/**
 * Decides what follows an attempt: 2xx delivers; everything else, redirects among it, is tried
 * again by the schedule until that is used up. 429 and 503 are heard when they name a time; 410
 * says that the endpoint is no more. `random` is from 0 to 1.
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

/** The time a `Retry-After` names (RFC 9110: seconds, or a date), a day ahead at most; null when it names none. */
export function parseRetryAfter(value: string | null, now: Date): Date | null {
  if (value === null) return null
  const text = value.trim()
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return waitMs > 0 ? addMs(now, Math.min(waitMs, longestWaitMs)) : null
}

/** What a replay does for one event. */
export type ReplayStep = 'plan' | 'repeat' | 'revive' | 'leave'

/**
 * A dead letter is taken up again, what was delivered is repeated, what was never planned is
 * planned; what is still on its way is left alone.
 */
export function replayStep(status: DeliveryStatus | null): ReplayStep {
  if (status === null) return 'plan'
  if (status === 'delivered') return 'repeat'
  return status === 'dead-lettered' ? 'revive' : 'leave'
}

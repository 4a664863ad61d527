import { dayMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'

/**
 * The maximum advance. Beyond it, dates computed from the bank's time could exceed the supported
 * calendar.
 */
export const mostAheadMs = 100 * 365 * dayMs

/** The state of the bank's clock, for a decision. */
export interface BankClock {
  isMovable: boolean
  /** How far the clock is ahead of real time. */
  aheadMs: number
  now: Date
}

/**
 * The advance over real time at which the clock shows `to`, in milliseconds.
 * Rejects with CLOCK_NOT_MOVABLE outside the sandbox, and with CLOCK_OUT_OF_RANGE a time that is
 * not after the current one, or more than 100 years ahead of real time.
 */
export function advance({ isMovable, aheadMs, now }: BankClock, to: Date): number {
  if (!isMovable) throw new Problem('CLOCK_NOT_MOVABLE')
  if (to <= now) {
    throw outOfRange(`The clock shows ${now.toISOString()} and can only move forward.`)
  }
  const movedMs = aheadMs + to.getTime() - now.getTime()
  if (movedMs > mostAheadMs) {
    throw outOfRange('The clock can be at most 100 years of 365 days ahead of real time.')
  }
  return movedMs
}

function outOfRange(detail: string): Problem {
  return new Problem('CLOCK_OUT_OF_RANGE', {
    detail,
    errors: [{ pointer: '/to', code: 'CLOCK_OUT_OF_RANGE', detail }],
  })
}

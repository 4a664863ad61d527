import { dayMs } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'

/**
 * The maximum advance of the clock over real time. Beyond it, dates that are computed from the
 * bank's time could exceed the supported calendar.
 */
export const maxAdvanceMs = 100 * 365 * dayMs

/** The state of the bank's clock, on which an advance is decided. */
export interface BankClock {
  isMovable: boolean
  /** How far the clock is ahead of real time, in milliseconds. */
  aheadMs: number
  now: Date
}

/**
 * Returns how far the clock must be ahead of real time to show `to`, in milliseconds.
 * Throws CLOCK_NOT_MOVABLE outside the sandbox, and CLOCK_OUT_OF_RANGE if `to` is not after the
 * clock's current time or is more than 100 years ahead of real time.
 */
export function offsetAfterMove({ isMovable, aheadMs, now }: BankClock, to: Date): number {
  if (!isMovable) throw new Problem('CLOCK_NOT_MOVABLE')
  if (to <= now) {
    throw outOfRange(`The clock shows ${now.toISOString()} and can only move forward.`)
  }
  const advancedMs = aheadMs + to.getTime() - now.getTime()
  if (advancedMs > maxAdvanceMs) {
    throw outOfRange('The clock can be at most 100 years of 365 days ahead of real time.')
  }
  return advancedMs
}

function outOfRange(detail: string): Problem {
  return new Problem('CLOCK_OUT_OF_RANGE', {
    detail,
    errors: [{ pointer: '/to', code: 'CLOCK_OUT_OF_RANGE', detail }],
  })
}

import { dayMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'

/** Beyond it, terms and cut-off dates that count on from the bank's time would leave the calendar. */
export const mostAheadMs = 100 * 365 * dayMs

/** A bank's clock as a decision finds it. */
export interface BankClock {
  isMovable: boolean
  /** How far it is ahead of real time. */
  aheadMs: number
  now: Date
}

/**
 * How far ahead of real time the clock is when it shows `to`.
 * Refuses with CLOCK_NOT_MOVABLE outside the sandbox; with CLOCK_OUT_OF_RANGE a time that is not
 * after the present one, or more than 100 years ahead of real time.
 */
export function advance({ isMovable, aheadMs, now }: BankClock, to: Date): number {
  if (!isMovable) throw new Problem('CLOCK_NOT_MOVABLE')
  if (to <= now) {
    throw outOfRange(`It is ${now.toISOString()} already; the clock only moves forward.`)
  }
  const movedMs = aheadMs + to.getTime() - now.getTime()
  if (movedMs > mostAheadMs) {
    throw outOfRange('The clock is at most 100 years of 365 days ahead of real time.')
  }
  return movedMs
}

function outOfRange(detail: string): Problem {
  return new Problem('CLOCK_OUT_OF_RANGE', {
    detail,
    errors: [{ pointer: '/to', code: 'CLOCK_OUT_OF_RANGE', detail }],
  })
}

import { dayBefore } from '../../parts/days.ts'

interface Period {
  firstDay: string
  lastDay: string
  state: string
}

/** Returns the years whose months decide what can be done with a month. The first is 1900, the last 9998. */
export const yearsAround = (fiscalYear: number) => ({
  previousYear: Math.max(fiscalYear - 1, 1900),
  fiscalYear,
  nextYear: Math.min(fiscalYear + 1, 9998),
})

/**
 * Returns whether a later month than this is closed, and whether this is the next that can be closed.
 * Months are closed in their order, so that the months around it tell.
 */
export function orderOf({ firstDay, lastDay }: Period, around: readonly Period[]) {
  const closed = around.filter(({ state }) => state === 'CLOSED')
  const lastClosed = closed.reduce((last, each) => (each.lastDay > last ? each.lastDay : last), '')
  return {
    isLaterClosed: lastClosed > lastDay,
    // The first month that is closed can be any.
    isNext: lastClosed === '' || lastClosed === dayBefore(firstDay, 1),
  }
}

import { addDays, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { toDate, toDay } from '../../../../kernel/domain/day-count.ts'
import type { LateChargePauseReason } from '../../model/late-charges/enumerations.ts'

/** A period in which the installments of a facility have no late charges. */
export interface LateChargePause {
  /** The first day for which nothing is charged. */
  from: LocalDate
  /** The last day for which nothing is charged, as agreed. */
  until: LocalDate
  /** The day from which charges apply again because the pause was ended early; or null. */
  endedOn: LocalDate | null
  reason: LateChargePauseReason
  /** The access token subjects of those who decided. */
  pausedBy: string
  endedBy: string | null
}

/** Returns the day from which charges apply again. */
export const resumption = ({ until, endedOn }: LateChargePause): LocalDate =>
  endedOn ?? addDays(until, 1)

/** Returns the days of a pause: the first one, and the one after the last one. */
const daysOf = (pause: LateChargePause): [number, number] => [
  toDay(pause.from),
  toDay(resumption(pause)),
]

/** Returns the number of days from a day to another one, without those in a pause. */
export function chargedDaysBetween(
  from: LocalDate,
  to: LocalDate,
  pauses: readonly LateChargePause[],
): number {
  const [first, end] = [toDay(from), toDay(to)]
  const paused = pauses.map(daysOf).map(([pausedFrom, pausedTo]) => {
    const days = Math.min(end, pausedTo) - Math.max(first, pausedFrom)
    return days > 0 ? days : 0
  })
  return paused.reduce((days, each) => days - each, end - first)
}

/** Returns the first day that is a number of days after another one, without those in a pause. */
export function dayAfterCharged(
  from: LocalDate,
  days: number,
  pauses: readonly LateChargePause[],
): LocalDate {
  let day = toDay(from) + days
  const inOrder = pauses.map(daysOf).sort(([one], [other]) => one - other)
  for (const [pausedFrom, pausedTo] of inOrder) {
    const start = Math.max(pausedFrom, toDay(from))
    if (start < day && pausedTo > start) day += pausedTo - start
  }
  return toDate(day)
}

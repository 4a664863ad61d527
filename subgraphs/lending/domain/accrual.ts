import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { toDate, toDay, type Calendar } from './calendar.ts'
import { yearFraction, type DayCount } from './day-count.ts'
import { roundHalfEven, times, type Rational } from './rational.ts'

/** Days of one instalment's period in which neither the principal nor the rate changes. */
export interface Stretch {
  calendar: Calendar
  /** The instalment whose period it is part of. */
  number: number
  from: LocalDate
  to: LocalDate
  principalMinor: bigint
  annualRate: Rational
  dayCount: DayCount
}

/** Interest that a day adds, to be booked at its end. */
export interface DailyAccrual {
  on: LocalDate
  amountMinor: bigint
}

/**
 * The interest of each day of a stretch. A day adds what the rounded interest since the start grows
 * by, so the days add up to the interest of the stretch to the minor unit, however small each is.
 */
export function dailyAccruals(stretch: Stretch): DailyAccrual[] {
  const [from, to] = [toDay(stretch.from), toDay(stretch.to)]
  const days: DailyAccrual[] = []
  let known = 0n
  for (let day = from + 1; day <= to; day++) {
    const accrued = accruedTo(stretch, from, day)
    days.push({ on: toDate(day), amountMinor: accrued - known })
    known = accrued
  }
  return days
}

function accruedTo(stretch: Stretch, from: number, day: number): bigint {
  const { calendar, number, principalMinor, annualRate, dayCount } = stretch
  const { num, den } = times(annualRate, yearFraction(dayCount, calendar, number, from, day))
  return roundHalfEven(principalMinor * num, den)
}

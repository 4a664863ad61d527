import { dayMs, daysInMonth, type LocalDate } from './dates.ts'
import type { Rational } from './rational.ts'

/** A calendar date as the number of days since 1970-01-01. */
export type Day = number

/** Converts a date of the Gregorian calendar to days since 1970-01-01. `month` is 1 for January. */
export function dayNumber(year: number, month: number, day: number): Day {
  // A year starts in March here, so that a leap day is the last day of its year (H. Hinnant,
  // days_from_civil).
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  const dayOfEra = yearOfEra * 365 + leapDays + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function toDay(date: LocalDate): Day {
  return dayNumber(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10)))
}

export function toDate(day: Day): LocalDate {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/**
 * Adds months to a date. The result has the same day of the month, or is the last day of the month
 * if the month is shorter.
 */
export function addMonths(from: LocalDate, months: number): Day {
  const monthCount = Number(from.slice(0, 4)) * 12 + Number(from.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(monthCount / 12), (((monthCount % 12) + 12) % 12) + 1]
  const day = Number(from.slice(8, 10))
  return dayNumber(year, month, day > 28 ? Math.min(day, daysInMonth(year, month)) : day)
}

/** The day-count conventions that depend on nothing but the two days. */
export type StandardDayCount =
  | 'act-360'
  | 'act-364'
  | 'act-365'
  | 'act-act'
  | 'thirty-360-us'
  | 'thirty-e-360'
  | 'thirty-e-360-isda'

const daysInYear = { 'act-360': 360n, 'act-364': 364n, 'act-365': 365n } as const

/**
 * Returns the fraction of a year between two days by a day-count convention:
 *
 * - `thirty-360-us`, `thirty-e-360`, `thirty-e-360-isda`: 30/360, 30E/360 and 30E/360 (ISDA) of
 *   ISDA 2006, section 4.16(f), (g) and (h). For 30E/360 (ISDA), `termination` is the maturity date.
 * - `act-360`, `act-364`, `act-365`: the actual days divided by 360, 364 or 365.
 * - `act-act`: the actual days in each calendar year divided by the number of days of that year
 *   (ISDA 2006, section 4.16(b)).
 */
export function standardYearFraction(
  dayCount: StandardDayCount,
  from: Day,
  to: Day,
  termination: Day | null = null,
): Rational {
  if (dayCount === 'act-act') return byCalendarYears(from, to)
  if (hasActualDays(dayCount)) return { num: BigInt(to - from), den: daysInYear[dayCount] }
  return byThirtyDays(dayCount, from, to, termination)
}

type ActualDayCount = keyof typeof daysInYear
type ThirtyDayCount = Exclude<StandardDayCount, ActualDayCount | 'act-act'>

function hasActualDays(dayCount: StandardDayCount): dayCount is ActualDayCount {
  return Object.hasOwn(daysInYear, dayCount)
}

/**
 * Computes (360·(Y₂ − Y₁) + 30·(M₂ − M₁) + (D₂ − D₁)) / 360. The convention determines which days
 * of the month count as day 30.
 */
function byThirtyDays(
  dayCount: ThirtyDayCount,
  from: Day,
  to: Day,
  termination: Day | null,
): Rational {
  const [fromDate, toDate] = [new Date(from * dayMs), new Date(to * dayMs)]
  const isIsda = dayCount === 'thirty-e-360-isda'
  const startDay = isIsda && isMonthEnd(from) ? 30 : Math.min(fromDate.getUTCDate(), 30)
  let endDay = toDate.getUTCDate()
  if (dayCount === 'thirty-360-us') endDay = startDay === 30 ? Math.min(endDay, 30) : endDay
  else endDay = Math.min(endDay, 30)
  const isFebruary = toDate.getUTCMonth() === 1
  if (isIsda && isFebruary && isMonthEnd(to) && to !== termination) endDay = 30
  const years = toDate.getUTCFullYear() - fromDate.getUTCFullYear()
  const months = toDate.getUTCMonth() - fromDate.getUTCMonth()
  return { num: BigInt(360 * years + 30 * months + endDay - startDay), den: 360n }
}

function isMonthEnd(day: Day): boolean {
  return new Date((day + 1) * dayMs).getUTCDate() === 1
}

function byCalendarYears(from: Day, to: Day): Rational {
  let commonYearDays = 0
  let leapYearDays = 0
  for (let day = from; day < to;) {
    // A LocalDate would end with the year 9999, but a planned installment can be due later.
    const year = new Date(day * dayMs).getUTCFullYear()
    const nextYear = dayNumber(year + 1, 1, 1)
    const days = Math.min(to, nextYear) - day
    if (nextYear - dayNumber(year, 1, 1) === 366) leapYearDays += days
    else commonYearDays += days
    day += days
  }
  return { num: BigInt(commonYearDays * 366 + leapYearDays * 365), den: 365n * 366n }
}

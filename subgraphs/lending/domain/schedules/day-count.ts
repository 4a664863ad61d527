import type { DayCount } from '../../model/schedules/enumerations.ts'
import { addMonths, dayNumber, type Calendar, type Day } from './calendar.ts'
import { minus, type Rational } from './rational.ts'

const daysInYear = { 'act-360': 360n, 'act-364': 364n, 'act-365': 365n } as const

/**
 * Returns the fraction of a year between two days of an installment's period, by a day-count
 * convention:
 *
 * - `thirty-360`: a full month is a twelfth of a year, and a partial month counts in proportion to
 *   its days. If periods are counted in days, each day is 1/360 of a year.
 * - `thirty-360-us`, `thirty-e-360`, `thirty-e-360-isda`: 30/360, 30E/360 and 30E/360 (ISDA) of
 *   ISDA 2006, section 4.16(f), (g) and (h). For 30E/360 (ISDA), `termination` is the maturity date.
 * - `act-360`, `act-364`, `act-365`: the actual days divided by 360, 364 or 365.
 * - `act-act`: the actual days in each calendar year divided by the number of days of that year
 *   (ISDA 2006, section 4.16(b)).
 */
export function yearFraction(
  dayCount: DayCount,
  calendar: Calendar,
  number: number,
  from: Day,
  to: Day,
  termination: Day | null = null,
): Rational {
  if (hasThirtyDayMonths(dayCount)) return byThirtyDays(dayCount, from, to, termination)
  if (dayCount === 'act-act') return byCalendarYears(from, to)
  if (dayCount !== 'thirty-360') {
    return { num: BigInt(to - from), den: daysInYear[dayCount] }
  }
  const { months } = calendar
  if (months === null) return { num: BigInt(to - from), den: 360n }
  if (from === calendar.dueDay(number - 1) && to === calendar.dueDay(number)) {
    return { num: BigInt(months), den: 12n }
  }
  return minus(yearsSince(calendar, months, number, to), yearsSince(calendar, months, number, from))
}

type ThirtyDayCount = 'thirty-360-us' | 'thirty-e-360' | 'thirty-e-360-isda'

function hasThirtyDayMonths(dayCount: DayCount): dayCount is ThirtyDayCount {
  return dayCount.startsWith('thirty-') && dayCount !== 'thirty-360'
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

const dayMs = 86_400_000

function isMonthEnd(day: Day): boolean {
  return new Date((day + 1) * dayMs).getUTCDate() === 1
}

/**
 * Returns the years from the start of an installment's period to a day, counted in full months and
 * one partial month.
 */
function yearsSince(calendar: Calendar, months: number, number: number, day: Day): Rational {
  const monthsBefore = (number - 1) * months
  let fullMonths = 0
  let monthStart = calendar.dueDay(number - 1)
  let monthEnd = addMonths(calendar.start, monthsBefore + 1)
  while (monthEnd <= day) {
    fullMonths++
    monthStart = monthEnd
    monthEnd = addMonths(calendar.start, monthsBefore + fullMonths + 1)
  }
  const length = BigInt(monthEnd - monthStart)
  return { num: BigInt(fullMonths) * length + BigInt(day - monthStart), den: 12n * length }
}

function byCalendarYears(from: Day, to: Day): Rational {
  let commonYearDays = 0
  let leapYearDays = 0
  for (let day = from; day < to;) {
    // A LocalDate would end with the year 9999, but a planned installment can be due later.
    const year = new Date(day * 86_400_000).getUTCFullYear()
    const nextYear = dayNumber(year + 1, 1, 1)
    const days = Math.min(to, nextYear) - day
    if (nextYear - dayNumber(year, 1, 1) === 366) leapYearDays += days
    else commonYearDays += days
    day += days
  }
  return { num: BigInt(commonYearDays * 366 + leapYearDays * 365), den: 365n * 366n }
}

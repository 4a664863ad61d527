import { addMonths, dayNumber, type Calendar, type Day } from './calendar.ts'
import { minus, type Rational } from './rational.ts'

export const dayCounts = [
  'thirty-360',
  'thirty-360-us',
  'thirty-e-360',
  'thirty-e-360-isda',
  'act-360',
  'act-364',
  'act-365',
  'act-act',
] as const
export type DayCount = (typeof dayCounts)[number]

const daysInYear = { 'act-360': 360n, 'act-364': 364n, 'act-365': 365n } as const

/**
 * Returns the fraction of a year between two days of an installment's period, by a day-count
 * convention:
 *
 * - `thirty-360`: a full month is a twelfth of a year. The days of a partial month are divided by
 *   the number of days in that month. If periods are counted in days, each day is 1/360 of a year.
 * - `thirty-360-us`, `thirty-e-360`, `thirty-e-360-isda`: 30/360, 30E/360 and 30E/360 (ISDA) of
 *   ISDA 2006, section 4.16(f), (g) and (h). For 30E/360 (ISDA), `termination` is the maturity date.
 * - `act-360`, `act-364`, `act-365`: the actual days divided by 360, 364 or 365.
 * - `act-act`: the actual days divided by the days of the calendar year in which they fall (ISDA
 *   2006, section 4.16(b)).
 */
export function yearFraction(
  dayCount: DayCount,
  calendar: Calendar,
  number: number,
  from: Day,
  to: Day,
  termination: Day | null = null,
): Rational {
  if (isThirtyDayMonths(dayCount)) return byThirtyDays(dayCount, from, to, termination)
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

type ThirtyDayMonths = 'thirty-360-us' | 'thirty-e-360' | 'thirty-e-360-isda'

function isThirtyDayMonths(dayCount: DayCount): dayCount is ThirtyDayMonths {
  return dayCount.startsWith('thirty-') && dayCount !== 'thirty-360'
}

/**
 * Computes (360·(Y₂ − Y₁) + 30·(M₂ − M₁) + (D₂ − D₁)) / 360. The convention determines which days
 * of the month count as day 30.
 */
function byThirtyDays(
  dayCount: ThirtyDayMonths,
  from: Day,
  to: Day,
  termination: Day | null,
): Rational {
  const [first, last] = [new Date(from * dayMs), new Date(to * dayMs)]
  const isIsda = dayCount === 'thirty-e-360-isda'
  const start = isIsda && isMonthEnd(from) ? 30 : Math.min(first.getUTCDate(), 30)
  let end = last.getUTCDate()
  if (dayCount === 'thirty-360-us') end = start === 30 ? Math.min(end, 30) : end
  else end = Math.min(end, 30)
  const isFebruary = last.getUTCMonth() === 1
  if (isIsda && isFebruary && isMonthEnd(to) && to !== termination) end = 30
  const years = last.getUTCFullYear() - first.getUTCFullYear()
  const months = last.getUTCMonth() - first.getUTCMonth()
  return { num: BigInt(360 * years + 30 * months + end - start), den: 360n }
}

const dayMs = 86_400_000

function isMonthEnd(day: Day): boolean {
  return new Date((day + 1) * dayMs).getUTCDate() === 1
}

/**
 * Returns the years from the start of the period to a day, counted in full months and one partial
 * month.
 */
function yearsSince(calendar: Calendar, months: number, number: number, day: Day): Rational {
  const before = (number - 1) * months
  let fullMonths = 0
  let from = calendar.dueDay(number - 1)
  let to = addMonths(calendar.start, before + 1)
  while (to <= day) {
    fullMonths++
    from = to
    to = addMonths(calendar.start, before + fullMonths + 1)
  }
  const length = BigInt(to - from)
  return { num: BigInt(fullMonths) * length + BigInt(day - from), den: 12n * length }
}

function byCalendarYears(from: Day, to: Day): Rational {
  let common = 0
  let leap = 0
  for (let day = from; day < to;) {
    // Not converted to a LocalDate: plans can look beyond the year 9999.
    const year = new Date(day * 86_400_000).getUTCFullYear()
    const next = dayNumber(year + 1, 1, 1)
    const days = Math.min(to, next) - day
    if (next - dayNumber(year, 1, 1) === 366) leap += days
    else common += days
    day += days
  }
  return { num: BigInt(common * 366 + leap * 365), den: 365n * 366n }
}

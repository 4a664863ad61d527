import { addMonths, dayNumber, type Calendar, type Day } from './calendar.ts'
import { minus, type Rational } from './rational.ts'

export const dayCounts = ['thirty-360', 'act-360', 'act-364', 'act-365', 'act-act'] as const
export type DayCount = (typeof dayCounts)[number]

const daysInYear = { 'act-360': 360n, 'act-364': 364n, 'act-365': 365n } as const

/**
 * The part of a year from one day to another within an instalment's period, by a convention:
 *
 * - `thirty-360`: a month is a twelfth of a year however long it is; of a broken month, its days by
 *   the days it has. Periods counted in days have a 360th for each.
 * - `act-360`, `act-364`, `act-365`: days by the days of a fixed year.
 * - `act-act`: days by the days of the calendar year they are in (ISDA 2006, section 4.16(b)).
 */
export function yearFraction(
  dayCount: DayCount,
  calendar: Calendar,
  number: number,
  from: Day,
  to: Day,
): Rational {
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

/** Years of whole and broken months since the period began. */
function yearsSince(calendar: Calendar, months: number, number: number, day: Day): Rational {
  const before = (number - 1) * months
  let whole = 0
  let from = calendar.dueDay(number - 1)
  let to = addMonths(calendar.start, before + 1)
  while (to <= day) {
    whole++
    from = to
    to = addMonths(calendar.start, before + whole + 1)
  }
  const length = BigInt(to - from)
  return { num: BigInt(whole) * length + BigInt(day - from), den: 12n * length }
}

function byCalendarYears(from: Day, to: Day): Rational {
  let common = 0
  let leap = 0
  for (let day = from; day < to;) {
    // Not by its text: plans look ahead to years that no date has.
    const year = new Date(day * 86_400_000).getUTCFullYear()
    const next = dayNumber(year + 1, 1, 1)
    const days = Math.min(to, next) - day
    if (next - dayNumber(year, 1, 1) === 366) leap += days
    else common += days
    day += days
  }
  return { num: BigInt(common * 366 + leap * 365), den: 365n * 366n }
}

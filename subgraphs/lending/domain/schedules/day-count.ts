import { addMonths, standardYearFraction } from '../../../../kernel/domain/day-count.ts'
import type { DayCount } from '../../model/schedules/enumerations.ts'
import { type Calendar } from './calendar.ts'
import type { Day } from '../../../../kernel/domain/day-count.ts'
import { minus, type Rational } from '../../../../kernel/domain/rational.ts'

/**
 * Returns the fraction of a year between two days of an installment's period. For `thirty-360`, a
 * full month is a twelfth of a year, and a partial month counts in proportion to its days; if
 * periods are counted in days, each day is 1/360 of a year. `standardYearFraction` has the other
 * conventions; for 30E/360 (ISDA), `termination` is the maturity date.
 */
export function yearFraction(
  dayCount: DayCount,
  calendar: Calendar,
  number: number,
  from: Day,
  to: Day,
  termination: Day | null = null,
): Rational {
  if (dayCount !== 'thirty-360') return standardYearFraction(dayCount, from, to, termination)
  const { months } = calendar
  if (months === null) return { num: BigInt(to - from), den: 360n }
  if (from === calendar.dueDay(number - 1) && to === calendar.dueDay(number)) {
    return { num: BigInt(months), den: 12n }
  }
  return minus(yearsSince(calendar, months, number, to), yearsSince(calendar, months, number, from))
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

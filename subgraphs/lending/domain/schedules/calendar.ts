import type { RepaymentFrequency } from '../../model/schedules/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import { addMonths, toDay, type Day } from '../../../../kernel/domain/day-count.ts'

const monthsPerPeriod: Partial<Record<RepaymentFrequency, number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
}
const daysPerPeriod: Partial<Record<RepaymentFrequency, number>> = { weekly: 7, biweekly: 14 }

/**
 * The due dates of a loan. Each due date is computed from the start date, so the day of the month
 * never drifts.
 */
export interface Calendar {
  readonly start: LocalDate
  /** The length of a period in months; null if periods are counted in days. */
  readonly months: number | null
  /** The length of a period in days; null if periods are counted in months. */
  readonly days: number | null
  /** Returns the due date of an installment. Installment 0 is the start date. */
  dueDay(number: number): Day
  isDueDay(day: Day): boolean
}

/**
 * Creates the calendar that starts on a date. `everyDays` is the length of a period, in days, for
 * the frequency `days`.
 */
export function calendarOf(
  start: LocalDate,
  frequency: RepaymentFrequency,
  everyDays: number | null,
): Calendar {
  const months = monthsPerPeriod[frequency] ?? null
  const days = months === null ? (daysPerPeriod[frequency] ?? everyDays!) : null
  const first = toDay(start)
  const dueDays: Day[] = [first]
  const dueDay = (number: number): Day => {
    if (months === null) return first + number * days!
    return (dueDays[number] ??= addMonths(start, number * months))
  }
  const isDueDay = (day: Day): boolean => {
    if (months === null) return day >= first && (day - first) % days! === 0
    // No month is longer than 31 days, so no installment with a lower number can be due on `day`.
    let number = Math.max(0, Math.floor((day - first) / (31 * months)))
    while (dueDay(number) < day) number++
    return dueDay(number) === day
  }
  return { start, months, days, dueDay, isDueDay }
}

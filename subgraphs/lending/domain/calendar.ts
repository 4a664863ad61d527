import { daysInMonth, type LocalDate } from '../../_kernel/domain/dates.ts'

/** A calendar date as days since 1970-01-01, in which periods are counted and compared. */
export type Day = number

export const repaymentFrequencies = [
  'monthly',
  'weekly',
  'biweekly',
  'quarterly',
  'yearly',
  'days',
] as const
export type RepaymentFrequency = (typeof repaymentFrequencies)[number]

const monthsIn: Partial<Record<RepaymentFrequency, number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
}
const daysIn: Partial<Record<RepaymentFrequency, number>> = { weekly: 7, biweekly: 14 }

/** Days from 1970-01-01 to a date of the Gregorian calendar; `month` counts from 1. */
export function dayNumber(year: number, month: number, day: number): Day {
  // Years begin in March here, so that the leap day is their last (H. Hinnant, days_from_civil).
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const ofEra = shifted - era * 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const ofEraDays = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear
  return era * 146_097 + ofEraDays - 719_468
}

export function toDay(date: LocalDate): Day {
  return dayNumber(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10)))
}

export function toDate(day: Day): LocalDate {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

/** The day that many months on, on the day of the month of `from`, or the last of a shorter month. */
export function addMonths(from: LocalDate, months: number): Day {
  const inMonths = Number(from.slice(0, 4)) * 12 + Number(from.slice(5, 7)) - 1 + months
  const [year, month] = [Math.floor(inMonths / 12), (((inMonths % 12) + 12) % 12) + 1]
  const day = Number(from.slice(8, 10))
  return dayNumber(year, month, day > 28 ? Math.min(day, daysInMonth(year, month)) : day)
}

/** The due dates of a loan. They keep the day of the month they started on and never drift. */
export interface Calendar {
  readonly start: LocalDate
  /** Months of a period; null where periods are counted in days. */
  readonly months: number | null
  /** Days of a period; null where periods are counted in months. */
  readonly days: number | null
  /** The day of an instalment; 0 is the start. */
  dueDay(number: number): Day
  isDueDay(day: Day): boolean
}

/** The calendar that starts on a date; `everyDays` is the period of the frequency `days`. */
export function calendarOf(
  start: LocalDate,
  frequency: RepaymentFrequency,
  everyDays: number | null,
): Calendar {
  const months = monthsIn[frequency] ?? null
  const days = months === null ? (daysIn[frequency] ?? everyDays!) : null
  const first = toDay(start)
  const known: Day[] = [first]
  const dueDay = (number: number): Day => {
    if (months === null) return first + number * days!
    return (known[number] ??= addMonths(start, number * months))
  }
  const isDueDay = (day: Day): boolean => {
    if (months === null) return day >= first && (day - first) % days! === 0
    // No month is longer than 31 days, so the instalment is this one or one of the next.
    let number = Math.max(0, Math.floor((day - first) / (31 * months)))
    while (dueDay(number) < day) number++
    return dueDay(number) === day
  }
  return { start, months, days, dueDay, isDueDay }
}

import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { FeeFrequency } from '../../_kernel/domain/fee.ts'
import { Problem } from '../../_kernel/domain/problem.ts'

/** Whole days, both included. */
export interface Period {
  start: LocalDate
  end: LocalDate
}

/** Months of a period. What is charged once, or by the event, is charged by the month. */
const monthsOf: Record<FeeFrequency, number> = {
  upfront: 1,
  'per-event': 1,
  monthly: 1,
  quarterly: 3,
  yearly: 12,
}

/** The period of the calendar that a day is in. */
export function periodOf(frequency: FeeFrequency, day: LocalDate): Period {
  const months = monthsOf[frequency]
  const [year, month] = day.split('-').map(Number) as [number, number]
  const first = Math.floor((month - 1) / months) * months
  const end = addDays(firstOfMonth(year, first + months), -1)
  return { start: firstOfMonth(year, first), end }
}

/** The periods that began on or after `from` and have ended before `today`, in their order. */
export function endedPeriods(
  frequency: FeeFrequency,
  from: LocalDate,
  today: LocalDate,
  most: number,
): Period[] {
  const periods: Period[] = []
  for (let period = periodOf(frequency, from); period.end < today && periods.length < most;) {
    periods.push(period)
    period = periodOf(frequency, addDays(period.end, 1))
  }
  return periods
}

/**
 * The period that begins on a day; without a day, the one that is going on.
 * Refuses with FEE_PERIOD_INVALID a day on which none begins, or that is yet to come.
 */
export function periodAsked(
  frequency: FeeFrequency,
  start: LocalDate | null,
  today: LocalDate,
): Period {
  if (start !== null && start > today) throw invalidPeriod(`${start} is yet to come.`)
  const period = periodOf(frequency, start ?? today)
  if (start === null || start === period.start) return period
  throw invalidPeriod(`A period of a fee that is charged ${frequency} begins on ${period.start}.`)
}

function invalidPeriod(detail: string): Problem {
  const code = 'FEE_PERIOD_INVALID'
  return new Problem(code, { detail, errors: [{ pointer: '/periodStart', code, detail }] })
}

/** The last millisecond of a period, UTC. */
export function endOf({ end }: Period): Date {
  return new Date(Date.parse(`${addDays(end, 1)}T00:00:00Z`) - 1)
}

/** Counts months from 0; those beyond December are in the next year. */
function firstOfMonth(year: number, month: number): LocalDate {
  const inYear = String((month % 12) + 1).padStart(2, '0')
  return `${String(year + Math.floor(month / 12)).padStart(4, '0')}-${inYear}-01`
}

import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { FeeFrequency } from '../../_kernel/domain/fee.ts'
import { Problem } from '../../_kernel/domain/problem.ts'

/** A period of whole days, both bounds inclusive. */
export interface Period {
  start: LocalDate
  end: LocalDate
}

/** The length of a period in months. Runs of upfront and per-event fees are monthly. */
const monthsOf: Record<FeeFrequency, number> = {
  upfront: 1,
  'per-event': 1,
  monthly: 1,
  quarterly: 3,
  yearly: 12,
}

/** The calendar period that contains a day. */
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
 * The period that begins on the given day; without a day, the current one.
 * Rejects with FEE_PERIOD_INVALID a day on which no period begins, or that is in the future.
 */
export function periodAsked(
  frequency: FeeFrequency,
  start: LocalDate | null,
  today: LocalDate,
): Period {
  if (start !== null && start > today)
    throw invalidPeriod(`The period starting on ${start} has not begun.`)
  const period = periodOf(frequency, start ?? today)
  if (start === null || start === period.start) return period
  throw invalidPeriod(
    `No period of a ${frequency} fee begins on ${start}. The period that contains it begins on ${period.start}.`,
  )
}

function invalidPeriod(detail: string): Problem {
  const code = 'FEE_PERIOD_INVALID'
  return new Problem(code, { detail, errors: [{ pointer: '/periodStart', code, detail }] })
}

/** The last millisecond of a period, in UTC. */
export function endOf({ end }: Period): Date {
  return new Date(Date.parse(`${addDays(end, 1)}T00:00:00Z`) - 1)
}

/** The first day of a month. Months count from 0 and may exceed 11. */
function firstOfMonth(year: number, month: number): LocalDate {
  const inYear = String((month % 12) + 1).padStart(2, '0')
  return `${String(year + Math.floor(month / 12)).padStart(4, '0')}-${inYear}-01`
}

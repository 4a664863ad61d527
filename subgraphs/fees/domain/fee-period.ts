import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { isChargedSingly, type FeeFrequency } from '../../../kernel/domain/fee.ts'
import { Problem } from './problems.ts'

/** A period from the first to the last day, both inclusive. */
export interface Period {
  start: LocalDate
  end: LocalDate
}

/**
 * The frequencies of fees that runs charge. Fees for late installments are charged by lending, and
 * fees on an event or on request one by one.
 */
export type RunFrequency = Exclude<FeeFrequency, 'per-late-installment' | 'on-event' | 'on-request'>

export function isChargedByRuns<Kind extends { frequency: FeeFrequency }>(
  fee: Kind,
): fee is Kind & { frequency: RunFrequency } {
  return fee.frequency !== 'per-late-installment' && !isChargedSingly(fee)
}

/** The length of a fee period, in months. Upfront and per-event fees have monthly runs. */
const monthsOf: Record<RunFrequency, number> = {
  upfront: 1,
  'per-event': 1,
  monthly: 1,
  quarterly: 3,
  yearly: 12,
}

/** Returns the fee period that contains a day. Periods begin with a calendar month. */
export function periodOf(frequency: RunFrequency, day: LocalDate): Period {
  const months = monthsOf[frequency]
  const [year, month] = day.split('-').map(Number) as [number, number]
  const firstMonth = Math.floor((month - 1) / months) * months
  const end = addDays(firstOfMonth(year, firstMonth + months), -1)
  return { start: firstOfMonth(year, firstMonth), end }
}

/**
 * Returns up to `max` consecutive periods that ended before `today`, starting with the period that
 * contains `from`.
 */
export function endedPeriods(
  frequency: RunFrequency,
  from: LocalDate,
  today: LocalDate,
  max: number,
): Period[] {
  const periods: Period[] = []
  for (let period = periodOf(frequency, from); period.end < today && periods.length < max;) {
    periods.push(period)
    period = periodOf(frequency, addDays(period.end, 1))
  }
  return periods
}

/**
 * Returns the period that begins on `start`; if `start` is null, the period that contains `today`.
 * Throws FEE_PERIOD_INVALID if `start` is in the future or no period begins on it.
 */
export function requestedPeriod(
  frequency: RunFrequency,
  start: LocalDate | null,
  today: LocalDate,
): Period {
  if (start !== null && start > today)
    throw invalidPeriod(`The period starting on ${start} has not begun yet.`)
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

/** Returns the last millisecond of a period, in UTC. */
export function endOf({ end }: Period): Date {
  return new Date(Date.parse(`${addDays(end, 1)}T00:00:00Z`) - 1)
}

/** Returns the first day of a month. Months count from 0 and may exceed 11. */
function firstOfMonth(year: number, month: number): LocalDate {
  const monthOfYear = String((month % 12) + 1).padStart(2, '0')
  return `${String(year + Math.floor(month / 12)).padStart(4, '0')}-${monthOfYear}-01`
}

import { daysInMonth, type LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { invalidInput } from './chart.ts'

/** What the state of all periods comes to. */
export interface Periods {
  /** The last day of the last closed period; null if none is closed. All earlier periods are closed. */
  closedThrough: LocalDate | null
  /** The IDs of the periods that are soft closed. */
  softClosed: ReadonlySet<string>
}

/** Returns the ID of the period of a day, such as `2026-03`. */
export function periodOf(day: LocalDate): string {
  return day.slice(0, 7)
}

/** Returns the first day of a period. */
export function firstDayOf(periodId: string): LocalDate {
  return `${periodId}-01`
}

/** Returns the last day of a period. */
export function lastDayOf(periodId: string): LocalDate {
  const [year, month] = partsOf(periodId)
  return `${periodId}-${String(daysInMonth(year, month)).padStart(2, '0')}`
}

/** Returns the period after a period. */
export function nextPeriod(periodId: string): string {
  const [year, month] = partsOf(periodId)
  return month === 12 ? idOf(year + 1, 1) : idOf(year, month + 1)
}

/** Returns the period before a period. */
export function previousPeriod(periodId: string): string {
  const [year, month] = partsOf(periodId)
  return month === 1 ? idOf(year - 1, 12) : idOf(year, month - 1)
}

/** Returns the periods of a fiscal year, which is a calendar year. */
export function periodsOf(fiscalYear: number): string[] {
  return Array.from({ length: 12 }, (_, index) => idOf(fiscalYear, index + 1))
}

/** Returns the fiscal year of a period. */
export function fiscalYearOf(periodId: string): number {
  return partsOf(periodId)[0]
}

function partsOf(periodId: string): [year: number, month: number] {
  const [year, month] = periodId.split('-').map(Number)
  return [year!, month!]
}

const idOf = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`

/** Whether a text is the ID of a period. */
export const isPeriodId = (text: string): boolean =>
  /^(19|[2-9]\d)\d\d-(0[1-9]|1[0-2])$/.test(text) && text < '9999'

/** Throws VALIDATION_FAILED unless the text is a month such as `2026-03`, from 1900 to 9998. */
export function requirePeriodId(periodId: string, pointer = '/accountingPeriodId'): void {
  if (isPeriodId(periodId)) return
  throw invalidInput(pointer, `"${periodId.slice(0, 20)}" is not a month such as "2026-03".`)
}

/**
 * Returns the accounting date of a posting when it is dated: its value date if that period is open.
 * Otherwise it is in the first later period that is open: on the booking date if that is in the
 * period, else on the first day. A period that is not open never gets a posting this way.
 */
export function accountingDateOf(
  valueDate: LocalDate,
  bookedOn: LocalDate,
  periods: Periods,
): LocalDate {
  let period = periodOf(valueDate)
  if (periods.closedThrough !== null && valueDate <= periods.closedThrough) {
    period = nextPeriod(periodOf(periods.closedThrough))
  }
  while (periods.softClosed.has(period)) period = nextPeriod(period)
  if (period === periodOf(valueDate)) return valueDate
  return periodOf(bookedOn) === period ? bookedOn : firstDayOf(period)
}

/** Whether the period of a day is closed. */
export function isClosed(day: LocalDate, { closedThrough }: Periods): boolean {
  return closedThrough !== null && day <= closedThrough
}

/** Throws PERIOD_CLOSED if the period of a day is closed, so that nothing can be booked on the day. */
export function requireNotClosed(day: LocalDate, periods: Periods): void {
  if (!isClosed(day, periods)) return
  const detail = `The period ${periodOf(day)} is closed. Choose a day after ${periods.closedThrough}.`
  throw new Problem('PERIOD_CLOSED', { detail, resourceId: periodOf(day) })
}

/** Throws PERIOD_NOT_ENDED unless a period has ended before today. */
export function requireEnded(periodId: string, today: LocalDate): void {
  if (lastDayOf(periodId) < today) return
  const detail = `The period ${periodId} ends on ${lastDayOf(periodId)}; today is ${today}.`
  throw new Problem('PERIOD_NOT_ENDED', { detail, resourceId: periodId })
}

/**
 * Checks that a period can be closed: it has ended, and it is the next one after the last closed
 * period. The first closing can be of any period; it closes all earlier ones as well. Throws
 * PERIOD_NOT_ENDED and EARLIER_PERIOD_NOT_CLOSED.
 */
export function requireClosable(
  periodId: string,
  { closedThrough }: Periods,
  today: LocalDate,
): void {
  requireEnded(periodId, today)
  const next = closedThrough === null ? periodId : nextPeriod(periodOf(closedThrough))
  if (next === periodId) return
  const detail = `Periods are closed in their order. Close ${next} first.`
  throw new Problem('EARLIER_PERIOD_NOT_CLOSED', { detail, resourceId: next })
}

/** Throws LATER_PERIOD_CLOSED unless a closed period is the last one that is closed. */
export function requireLastClosed(periodId: string, { closedThrough }: Periods): void {
  if (closedThrough === null || periodOf(closedThrough) <= periodId) return
  const last = periodOf(closedThrough)
  const detail = `The later period ${last} is closed. Reopen ${last} first.`
  throw new Problem('LATER_PERIOD_CLOSED', { detail, resourceId: last })
}

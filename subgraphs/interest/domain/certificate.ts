import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { valueDateWindowDays } from '../../../ledger/domain/posting.ts'
import type { InterestPosition } from './position.ts'

/** The interest of an account in a calendar year, in minor units. */
export interface AccountCertificate {
  year: number
  position: InterestPosition
  /** The interest before tax that was paid with an effective date in the year. */
  grossMinor: bigint
  taxMinor: bigint
  /** The interest that was charged for overdrafts. */
  overdraftMinor: bigint
  /** The balance by value date at the end of the year. */
  balanceMinor: bigint
  isFinal: boolean
}

/** Returns the first and the last day of a calendar year. */
export function daysOfYear(year: number): { from: LocalDate; to: LocalDate } {
  const name = String(year).padStart(4, '0')
  return { from: `${name}-01-01`, to: `${name}-12-31` }
}

/**
 * Whether the figures of a year can no longer change: postings are at most 30 days late, and the days of
 * the year are accrued.
 */
export function isYearFinal(
  year: number,
  { isBearing, isEnded, accruedThrough }: InterestPosition,
  today: LocalDate,
): boolean {
  const { to } = daysOfYear(year)
  const isAccrued = !isBearing || isEnded || accruedThrough >= to
  return isAccrued && addDays(to, valueDateWindowDays) < today
}

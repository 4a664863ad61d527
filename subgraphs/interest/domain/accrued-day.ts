import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { dailyInterest, periodStartOf } from '../../../kernel/domain/deposit-interest.ts'
import { unusedMinor } from './commitment-fee.ts'
import type { DatedAmount, InterestPosition } from './position.ts'
import type { TermInputs } from './term-end.ts'
import type { TermsByDay, TermsInForce } from './terms.ts'

/** The amount of one ledger entry: positive if it increases the balance of the account. */
export interface Movement extends DatedAmount {
  postingInstructionId: string
}

/** The interest of an account for one day. */
export interface AccruedDay {
  accruedOn: LocalDate
  /** The balance by value date at the end of the day. */
  balanceMinor: bigint
  /** The exact interest, in accrual units. */
  units: bigint
  productVersion: string
  /** The rate override, or the overdraft, whose rates applied; null if those of the product did. */
  rateId: string | null
  /** How many days in a row the account was beyond its overdraft limit. */
  daysBeyondLimit: number
  /** Whether nothing was accrued, because of too many days beyond the limit or because of a block. */
  isSuspended: boolean
}

/** What the interest of one account is accrued from. */
export interface AccrualInputs {
  position: InterestPosition
  /** The movements that the position does not include, except its own paid interest. */
  movements: readonly Movement[]
  /** The sequence of the last entry among the movements. */
  seenSequence: bigint
  /** The stored days, at least from the earliest value date of the movements on. */
  accruedDays: ReadonlyMap<LocalDate, AccruedDay>
  termsOn: TermsByDay
  /** Whether the account is exempt from withholding tax on a day. */
  isExemptOn: (day: LocalDate) => boolean
  /** The term deposit of the account that is running; null if there is none. */
  term: TermInputs | null
  /** The last day to accrue. */
  through: LocalDate
  /** Whether interest may be paid; false after the ledger rejected the payment. */
  mayPay: boolean
  /** Set to pay all interest that is accrued through the last day. */
  payNow?: 'request'
}

/** Whether a day has nothing to accrue, so that it is not stored. */
export function isIdle({ commitment }: TermsInForce, balanceMinor: bigint): boolean {
  return commitment ? commitment.limitMinor === 0n : balanceMinor === 0n
}

/**
 * Returns the interest of one day. `daysBeyondBefore` is the number of days in a row before it on
 * which the account was beyond its overdraft limit.
 */
export function accruedDayOf(
  openedOn: LocalDate,
  accruedOn: LocalDate,
  balanceMinor: bigint,
  { terms, productVersion, rateId, limit, commitment }: TermsInForce,
  daysBeyondBefore: number,
): AccruedDay {
  const periodStart = periodStartOf(terms.capitalization, accruedOn)
  const countedFrom = periodStart !== null && periodStart > openedOn ? periodStart : openedOn
  const daysBeyondLimit = limit && balanceMinor > limit.limitMinor ? daysBeyondBefore + 1 : 0
  const isSuspended =
    commitment?.isPaused ?? daysBeyondLimit > (limit?.suspendAfterDays ?? Infinity)
  const basisMinor = commitment ? unusedMinor(commitment, balanceMinor) : balanceMinor
  const units = isSuspended ? 0n : dailyInterest(terms, basisMinor, accruedOn, countedFrom)
  return { accruedOn, balanceMinor, units, productVersion, rateId, daysBeyondLimit, isSuspended }
}

import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { unitsPerMinor } from '../../../kernel/domain/deposit-interest.ts'
import { roundHalfEven } from '../../../kernel/domain/rational.ts'

/**
 * How far the interest of an account is accrued and paid. Accrued and paid amounts are totals since
 * the opening of the account.
 */
export interface InterestPosition {
  arrangementId: string
  partyId: string
  productId: string
  productVersion: string
  currency: string
  openedOn: LocalDate
  /** Whether the product pays interest on the account, now or from a day to come. */
  isBearing: boolean
  /** Whether the closure of the account was requested. */
  isClosing: boolean
  /** Whether the account is closed. */
  isEnded: boolean
  /** The last day whose interest is accrued. */
  accruedThrough: LocalDate
  /** The first day of the interest that the next capitalization pays. */
  periodStart: LocalDate
  /** The balance by value date at the end of `accruedThrough`. */
  balanceMinor: bigint
  /** The known movements with a later value date. */
  ahead: readonly DatedAmount[]
  /** The sequence of the last ledger entry of the account that the position includes. */
  seenSequence: bigint
  /** The exact interest, in accrual units. */
  accruedUnits: bigint
  /** The interest in minor units: `accruedUnits` rounded, half to even. It is in the ledger. */
  accruedMinor: bigint
  /** The part of `accruedMinor` that was paid, before tax. */
  capitalizedMinor: bigint
  /** The account that receives the interest; null if it is paid into the account itself. */
  payoutArrangementId: string | null
  /**
   * The last day that had ended when the ledger rejected a payment of interest, which is tried again
   * when the next day has ended; null if it never did.
   */
  heldOn: LocalDate | null
  /**
   * How many days in a row the account was beyond its overdraft limit at the end of
   * `accruedThrough`; 0 for interest that an account earns.
   */
  daysBeyondLimit: number
  /**
   * The first day of the days in a row through `exposureThrough` on which the account was overdrawn;
   * null if it was not, and for interest that an account earns.
   */
  overdrawnSince: LocalDate | null
  /** The overdraft limit on `exposureThrough`; null if it was not derived. */
  limitMinor: bigint | null
  /**
   * The day at whose end the two members before it apply. It is `accruedThrough`, unless the former
   * release accrued the account, until the next night; null if they were never derived.
   */
  exposureThrough: LocalDate | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** The total of movements with one value date, in minor units. */
export interface DatedAmount {
  valueDate: LocalDate
  amountMinor: bigint
}

/** Rounds exact interest to minor units. Exact halves are rounded to the even amount. */
export function roundUnits(units: bigint): bigint {
  return roundHalfEven(units, unitsPerMinor)
}

/** Returns the interest that is accrued and not paid, in minor units. */
export function outstandingOf({ accruedMinor, capitalizedMinor }: InterestPosition): bigint {
  return accruedMinor - capitalizedMinor
}

/** Adds amounts to amounts by value date, in the order of the dates. Totals of zero are left out. */
export function mergeAmounts(
  amounts: readonly DatedAmount[],
  more: readonly DatedAmount[],
): DatedAmount[] {
  const totals = new Map<LocalDate, bigint>()
  for (const { valueDate, amountMinor } of [...amounts, ...more]) {
    totals.set(valueDate, (totals.get(valueDate) ?? 0n) + amountMinor)
  }
  return [...totals]
    .filter(([, amountMinor]) => amountMinor !== 0n)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([valueDate, amountMinor]) => ({ valueDate, amountMinor }))
}

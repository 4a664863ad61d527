import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { AccrualInputs, AccruedDay } from './accrued-day.ts'
import { outstandingOf, type InterestPosition } from './position.ts'
import type { TermsByDay } from './terms.ts'

/** From which day on an exposure is derived again, and since when the account was overdrawn before. */
export interface ExposureStart {
  from: LocalDate
  /** Null if the account was not overdrawn at the end of the day before. */
  overdrawnSince: LocalDate | null
}

/** The part of a position that says what the customer owes by an overdraft, and since when. */
export type ExposurePart = Pick<
  InterestPosition,
  'overdrawnSince' | 'limitMinor' | 'exposureThrough'
>

/**
 * Returns the first day whose balance an accrual may change: the earliest value date of back-dated
 * movements, or the day after the last accrued one.
 */
export function firstChangedDay({
  position: { accruedThrough, openedOn },
  movements,
}: Pick<AccrualInputs, 'position' | 'movements'>): LocalDate {
  let first = addDays(accruedThrough, 1)
  for (const { valueDate } of movements) if (valueDate < first) first = valueDate
  return first > openedOn ? first : openedOn
}

/**
 * Returns since when the account was overdrawn at the end of the day before `from`, as far as its
 * position says; undefined if only the stored days say it.
 */
export function knownStart(
  { overdrawnSince, exposureThrough, accruedThrough }: InterestPosition,
  from: LocalDate,
): LocalDate | null | undefined {
  if (exposureThrough !== accruedThrough) return undefined
  if (overdrawnSince !== null && overdrawnSince < from) return overdrawnSince
  // A correction can join the days before it to those after it.
  return from > accruedThrough ? null : undefined
}

/**
 * Derives the exposure at the end of the last accrued day from the end-of-day balances by value
 * date. `days` are those that an accrual added or corrected; on days without one, the balance was
 * zero.
 */
export function exposureAfter(
  { accruedThrough }: InterestPosition,
  days: readonly AccruedDay[],
  start: ExposureStart,
  termsOn: TermsByDay,
): ExposurePart {
  const owed = new Map(days.map(({ accruedOn, balanceMinor }) => [accruedOn, balanceMinor]))
  let overdrawnSince = start.overdrawnSince
  for (let day = start.from; day <= accruedThrough; day = addDays(day, 1)) {
    overdrawnSince = (owed.get(day) ?? 0n) > 0n ? (overdrawnSince ?? day) : null
  }
  const limitMinor = termsOn(accruedThrough)?.limit?.limitMinor ?? 0n
  return { overdrawnSince, limitMinor, exposureThrough: accruedThrough }
}

/** Returns the position of an account that is closed: its balance is zero, and nothing is owed. */
export const closedPosition = (position: InterestPosition): InterestPosition => ({
  ...position,
  isEnded: true,
  daysBeyondLimit: 0,
  overdrawnSince: null,
  limitMinor: null,
})

/** Whether the bank is exposed to the account: it is overdrawn, or has a limit. */
export const isExposed = ({ overdrawnSince, limitMinor }: InterestPosition): boolean =>
  overdrawnSince !== null || (limitMinor ?? 0n) > 0n

/**
 * What the bank is exposed to by one account at the end of `asOf`, in minor units. An account is
 * past due on each day at whose end it is beyond its limit, counted from the day of the breach
 * (Regulation (EU) 575/2013, article 178(2)(a); EBA/GL/2016/07, paragraphs 16 to 20). An account
 * without a limit has the limit zero.
 */
export interface OverdraftExposureFacts {
  asOf: LocalDate
  overdrawnMinor: bigint
  /** The interest that is accrued and not charged. */
  interestMinor: bigint
  limitMinor: bigint
  beyondLimitMinor: bigint
  undrawnMinor: bigint
  overdrawnSince: LocalDate | null
  beyondLimitSince: LocalDate | null
  daysPastDue: number
}

/**
 * Returns the exposure of an account whose exposure was derived. If the former release has accrued a
 * repayment since then, the account is still said to be overdrawn, but owes nothing.
 */
export function exposureOf(position: InterestPosition): OverdraftExposureFacts {
  const { accruedThrough, balanceMinor } = position
  const limitMinor = position.limitMinor ?? 0n
  const overdrawnMinor = position.overdrawnSince === null ? 0n : atLeastZero(balanceMinor)
  const isOverdrawn = overdrawnMinor > 0n
  const daysPastDue = isOverdrawn ? position.daysBeyondLimit : 0
  return {
    asOf: accruedThrough,
    overdrawnMinor,
    interestMinor: atLeastZero(outstandingOf(position)),
    limitMinor,
    beyondLimitMinor: atLeastZero(overdrawnMinor - limitMinor),
    undrawnMinor: atLeastZero(limitMinor - overdrawnMinor),
    overdrawnSince: isOverdrawn ? position.overdrawnSince : null,
    beyondLimitSince: daysPastDue > 0 ? addDays(accruedThrough, 1 - daysPastDue) : null,
    daysPastDue,
  }
}

const atLeastZero = (amountMinor: bigint): bigint => (amountMinor > 0n ? amountMinor : 0n)

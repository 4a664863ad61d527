import type { FacilityMovementKind } from '../../model/statements/enumerations.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'
import type { AccountPosting, AddressedEntry } from '../../../../ledger/domain/account-posting.ts'
import { loanAccountId, type LoanAddress } from '../facilities/accounts.ts'
import { bookingTexts } from '../servicing/booking-texts.ts'
import { addDebt, isNoDebt, noDebt, totalDebtMinor, type Debt } from './debt.ts'

/** One line of the statement of a facility. Amounts are in minor units. */
export interface Movement {
  kind: FacilityMovementKind
  valueDate: LocalDate
  /** When the movement was booked; null for a movement without a posting. */
  bookedAt: Date | null
  text: string
  /** The amount that was paid, drawn, charged, due or moved between parts. */
  amountMinor: bigint
  /** How the movement changes the debt. */
  change: Debt
  /** The fees outside the balance that the borrower paid; negative if the bank paid them back. */
  feeMinor: bigint
  /** The interest rate in percent from this day on; null if the rate does not change. */
  ratePct: string | null
  origin: MovementOrigin | null
}

/** The records whose postings are movements of a kind of their own. */
export type OriginKind = 'drawdown' | 'repayment' | 'extra-payment' | 'prepayment-fee'

/** The record that a posting belongs to. */
export interface MovementOrigin {
  kind: OriginKind
  id: string
  /** The upfront fees that were deducted from a drawdown. */
  feeMinor: bigint
}

/** Returns the ID of the record of a kind that a movement belongs to; null if there is none. */
export function originIdOf({ origin }: Movement, ...kinds: readonly OriginKind[]): string | null {
  return origin && kinds.includes(origin.kind) ? origin.id : null
}

const partOfAddress: Record<LoanAddress, keyof Debt> = {
  principal: 'principalMinor',
  accrued: 'interestMinor',
  'interest-due': 'interestMinor',
  fees: 'lateFeesMinor',
  penalties: 'defaultInterestMinor',
}

/**
 * Returns the movement that a posting is on the statement of a facility; null for a posting that only
 * makes interest due, which changes no part of the debt. `originOf` finds the record of a posting.
 */
export function movementOf(
  posting: AccountPosting,
  facilityId: string,
  originOf: (postingInstructionId: string) => MovementOrigin | null,
): Movement | null {
  const { entries, reversesId } = posting
  const change = changeOf(entries, facilityId)
  const origin = originOf(reversesId ?? posting.postingInstructionId)
  const sign = reversesId === null ? 1n : -1n
  const feeMinor =
    sign * (origin?.kind === 'prepayment-fee' ? total(entries) : (origin?.feeMinor ?? 0n))
  const kind = kindOf(posting, change, origin)
  if (kind === null || (isNoDebt(change) && feeMinor === 0n)) return null
  const { valueDate, bookedAt, text } = posting
  const amountMinor = amountOf(kind, change, entries)
  return { kind, valueDate, bookedAt, text, amountMinor, change, feeMinor, ratePct: null, origin }
}

/** Returns how entries change what is owed: on the loan account, and on the losses of the bank. */
function changeOf(entries: readonly AddressedEntry[], facilityId: string): Debt {
  let change = noDebt
  for (const { accountId, address, code, side, amountMinor } of entries) {
    const isOwn = accountId === loanAccountId(facilityId)
    const lossPart = code === 'loan-losses' ? 'chargedOffMinor' : null
    const part = isOwn ? partOfAddress[address as LoanAddress] : lossPart
    const signedMinor = side === 'debit' ? amountMinor : -amountMinor
    if (part) change = addDebt(change, { ...noDebt, [part]: signedMinor })
  }
  return change
}

function kindOf(
  { entries, text, reversesId }: AccountPosting,
  change: Debt,
  origin: MovementOrigin | null,
): FacilityMovementKind | null {
  if (origin) return reversesId === null ? origin.kind : `${origin.kind}-reversed`
  const isOn = (code: string) => entries.some((entry) => entry.code === code)
  if (isOn('loan-losses')) return change.chargedOffMinor > 0n ? 'charge-off' : 'recovery'
  if (isOn('interest-income')) return 'interest'
  if (isOn('fee-income') || isOn('default-interest-income')) {
    if (totalDebtMinor(change) > 0n) return 'late-charges'
    return text === bookingTexts.waiver ? 'late-charges-waived' : 'late-charges-corrected'
  }
  if (text === bookingTexts.reallocation) return 'payments-reallocated'
  if (text === bookingTexts.capitalizedArrears) return 'arrears-capitalized'
  return 'interest-capitalized'
}

/** Returns the amount that a line shows: for an internal move, the principal that it changes. */
function amountOf(
  kind: FacilityMovementKind,
  change: Debt,
  entries: readonly AddressedEntry[],
): bigint {
  if (kind === 'charge-off') return absolute(change.chargedOffMinor)
  if (kind === 'prepayment-fee' || kind === 'prepayment-fee-reversed') return total(entries)
  const changeMinor = totalDebtMinor(change)
  return absolute(changeMinor === 0n ? change.principalMinor : changeMinor)
}

const absolute = (amountMinor: bigint): bigint => (amountMinor < 0n ? -amountMinor : amountMinor)

/** Returns the sum of the debits, which equals the sum of the credits. */
function total(entries: readonly AddressedEntry[]): bigint {
  return entries.reduce(
    (sum, { side, amountMinor }) => (side === 'debit' ? sum + amountMinor : sum),
    0n,
  )
}

/** Whether a movement is booked day by day: interest, and default interest without a fee. */
function isAccrual({ kind, change }: Movement): boolean {
  return kind === 'interest' || (kind === 'late-charges' && change.lateFeesMinor === 0n)
}

/**
 * Merges interest and default interest that were booked day by day without another movement in between:
 * one line for each of both. A line has the date and the text of its last day.
 */
export function mergeAccruals(movements: readonly Movement[]): Movement[] {
  const merged: Movement[] = []
  let run: Movement[] = []
  for (const movement of movements) {
    if (!isAccrual(movement)) {
      merged.push(...run, movement)
      run = []
      continue
    }
    const earlier = run.find(({ kind }) => kind === movement.kind)
    const others = run.filter((each) => each !== earlier)
    run = [...others, earlier ? mergeTwo(earlier, movement) : movement]
  }
  return [...merged, ...run]
}

function mergeTwo(earlier: Movement, later: Movement): Movement {
  const change = addDebt(earlier.change, later.change)
  return { ...later, change, amountMinor: absolute(totalDebtMinor(change)) }
}

import { addDays, dateOf, dayMs, type LocalDate } from '../../kernel/domain/dates.ts'
import { formatAmount } from '../../kernel/domain/money.ts'
import type { PostingOrigin } from './authorization.ts'
import {
  applyLeg,
  availableOf,
  defaultAddress,
  balanceAmountsOf,
  type Balance,
  type Leg,
} from './balance.ts'
import { balanceKey, type Books } from './books.ts'
import type { Entry, Instruction, Outcome, Violation } from './instruction.ts'
import { plan, type Planned } from './plan.ts'

/** The maximum number of days between the booking date and the value date, in either direction. */
export const valueDateWindowDays = 30

/**
 * Returns the value date of a posting for a day that has passed: the day, or the earliest value date
 * that is accepted if the day is earlier.
 */
export function pastValueDate(day: LocalDate, now: Date): LocalDate {
  const earliest = addDays(dateOf(now), -valueDateWindowDays)
  return day < earliest ? earliest : day
}

/**
 * The maximum of each debit or credit total of an account, so that its balance fits in a 64-bit
 * integer.
 */
export const maxMinor = 4_000_000_000_000_000_000n

/**
 * Decides one instruction without changing the books. The caller applies the outcome.
 *
 * The violations of a rejected outcome have one of these codes: INVALID_AMOUNT,
 * VALUE_DATE_OUT_OF_WINDOW, AUTHORISATION_NOT_FOUND, AUTHORISATION_ALREADY_CLOSED,
 * AUTHORISATION_EXPIRED, CLIENT_TRANSACTION_ID_REUSED, SETTLEMENT_EXCEEDS_AUTHORISATION,
 * POSTING_NOT_REVERSIBLE, ALREADY_REVERSED, SAME_ACCOUNT, UNBALANCED_ENTRIES,
 * ARRANGEMENT_NOT_FOUND, ARRANGEMENT_CLOSED, ARRANGEMENT_BLOCKED, ACCOUNT_SUSPENDED,
 * CURRENCY_MISMATCH, LIMIT_EXCEEDED, INSUFFICIENT_FUNDS.
 */
export function decide(books: Books, instruction: Instruction, origin: PostingOrigin): Outcome {
  const violations = termViolations(instruction, origin)
  if (violations.length > 0) return { status: 'rejected', violations }
  const planned = plan(books, instruction, origin)
  if ('code' in planned) return { status: 'rejected', violations: [planned] }
  return book(books, planned, instruction, origin)
}

function termViolations(instruction: Instruction, { now }: PostingOrigin): Violation[] {
  const violations: Violation[] = []
  const today = dateOf(now)
  const days = instruction.valueDate === today ? 0 : daysBetween(today, instruction.valueDate)
  if (Math.abs(days) > valueDateWindowDays) {
    const detail = `The value date is ${instruction.valueDate}; it must be at most ${valueDateWindowDays} days before or after ${today}.`
    violations.push({ code: 'VALUE_DATE_OUT_OF_WINDOW', detail })
  }
  const isSigned = instruction.type === 'authorisation-adjustment'
  const amounts = [
    'money' in instruction && instruction.money,
    'creditorMoney' in instruction && instruction.creditorMoney,
    ...('legs' in instruction ? instruction.legs : []),
  ]
  for (const money of amounts) {
    if (!money || (isSigned ? money.amountMinor !== 0n : money.amountMinor > 0n)) continue
    const detail = `The amount must ${isSigned ? 'not be' : 'be greater than'} zero.`
    violations.push({ code: 'INVALID_AMOUNT', detail })
  }
  return violations
}

function daysBetween(from: LocalDate, to: LocalDate): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

function book(
  books: Books,
  planned: Planned,
  instruction: Instruction,
  origin: PostingOrigin,
): Outcome {
  const balancesAfter = new Map<string, Balance>()
  const violations: Violation[] = []
  const entries: Entry[] = []
  const bookedAt = bookingTime(books, planned.legs, origin.now)
  for (const leg of planned.legs) {
    const key = balanceKey(leg.accountId, leg.address)
    const balance = balancesAfter.get(key) ?? books.balance(leg.accountId, leg.address)
    const isKnown = balance && mayUse(balance, leg, origin)
    const violation = isKnown
      ? legViolation(balance, leg, planned, instruction)
      : unknownAccount(leg)
    if (violation) violations.push(violation)
    if (!isKnown || violation) continue
    const { entry, balanceAfter } = entryOf(balance, leg, entries.length + 1, bookedAt)
    balancesAfter.set(key, balanceAfter)
    entries.push(entry)
  }
  if (!isBalanced(planned.legs)) {
    const detail = 'Debits and credits must be equal in each currency.'
    violations.push({ code: 'UNBALANCED_ENTRIES', detail })
  } else if (instruction.type !== 'reversal' && hasLargeTotal(planned.legs)) {
    const detail = 'The debits of the posting exceed the maximum amount.'
    violations.push({ code: 'LIMIT_EXCEEDED', detail })
  }
  if (violations.length === 0) {
    for (const balance of balancesAfter.values()) {
      const before = books.balance(balance.account.accountId, balance.address)!
      const violation = guardViolation(before, balance, instruction.isAdvice)
      if (violation) violations.push(violation)
    }
  }
  if (violations.length > 0)
    return { status: 'rejected', violations: withoutDuplicates(violations) }
  const touched = [...balancesAfter.values()]
  const { authorization } = planned
  return { status: 'accepted', bookedAt, entries, touched, authorization }
}

/**
 * Returns the booking time: the current time, or the time of the last booking on one of the
 * accounts if that is later. The later time is used because a clock that was set back, or that
 * differs between processes, could reorder the entries.
 */
function bookingTime(books: Books, legs: readonly Leg[], now: Date): Date {
  let latest = now
  for (const { accountId, address } of legs) {
    const last = books.balance(accountId, address)?.lastBookedAt
    if (last && last > latest) latest = last
  }
  return latest
}

function entryOf(balance: Balance, leg: Leg, ordinal: number, bookedAt: Date) {
  const isDeferred = balance.account.policy === 'deferred'
  const balanceAfter = isDeferred ? balance : applyLeg(balance, leg, bookedAt)
  // Copied property by property, because spreading large objects is slow and this runs for every
  // entry.
  const entry: Entry = {
    accountId: leg.accountId,
    address: leg.address,
    phase: leg.phase,
    side: leg.side,
    amountMinor: leg.amountMinor,
    currency: leg.currency,
    ordinal,
    sequence: isDeferred ? null : balanceAfter.entryCount,
    after: isDeferred ? null : balanceAmountsOf(balanceAfter),
  }
  return { entry, balanceAfter }
}

/**
 * Whether the caller may use the account for this leg. A delegated user may debit only their own
 * accounts, and credit any customer account. Any other account is reported as not existing.
 */
function mayUse({ account }: Balance, { side }: Leg, { actingFor }: PostingOrigin): boolean {
  if (actingFor === null || account.partyId === actingFor) return true
  return account.partyId !== null && side === account.normalSide
}

function unknownAccount({ accountId, address }: Leg): Violation {
  const detail = `The account ${accountId}${address === defaultAddress ? '' : `, address ${address},`} does not exist.`
  return { code: 'ARRANGEMENT_NOT_FOUND', detail, accountId }
}

function legViolation(
  { account, blockedFor, isClosed, isSuspended }: Balance,
  leg: Leg,
  { isPromised = false }: Planned,
  { isAdvice }: Instruction,
): Violation | null {
  const { accountId } = leg
  if (leg.currency !== account.currency) {
    return {
      code: 'CURRENCY_MISMATCH',
      detail: `The currency of the account is ${account.currency}.`,
      accountId,
    }
  }
  if (isClosed) return { code: 'ARRANGEMENT_CLOSED', detail: 'The account is closed.', accountId }
  if (isSuspended) {
    const detail =
      'The account is suspended, because a check found it inconsistent. Its balance must be corrected.'
    return { code: 'ACCOUNT_SUSPENDED', detail, accountId }
  }
  if (blockedFor === null || isPromised || isAdvice) return null
  if (isReleasing(leg)) return null
  const isOut = leg.side !== account.normalSide
  if (blockedFor !== 'all' && (blockedFor === 'debit') !== isOut) return null
  const detail = `The account is blocked for ${isOut ? 'debits' : 'credits'}.`
  return { code: 'ARRANGEMENT_BLOCKED', detail, accountId }
}

function isReleasing({ phase, side }: Leg): boolean {
  return (
    (phase === 'pending-out' && side === 'credit') || (phase === 'pending-in' && side === 'debit')
  )
}

function guardViolation(before: Balance, after: Balance, isAdvice: boolean): Violation | null {
  const { account } = after
  const { accountId, currency } = account
  if (account.policy === 'deferred') return null
  const totals = [
    after.committedDebitMinor,
    after.committedCreditMinor,
    after.pendingInDebitMinor,
    after.pendingInCreditMinor,
    after.pendingOutDebitMinor,
    after.pendingOutCreditMinor,
  ]
  if (totals.some((total) => total > maxMinor)) {
    return {
      code: 'LIMIT_EXCEEDED',
      detail: 'The balance of the account would exceed the maximum amount.',
      accountId,
    }
  }
  if (account.policy === 'unguarded' || isAdvice) return null
  const [availableBefore, availableAfter] = [availableOf(before), availableOf(after)]
  if (availableAfter >= 0n || availableAfter >= availableBefore) return null
  const money = (amountMinor: bigint) => `${formatAmount(amountMinor, currency)} ${currency}`
  const detail = `The account has ${money(availableBefore)} available; the posting needs ${money(availableBefore - availableAfter)}.`
  return { code: 'INSUFFICIENT_FUNDS', detail, accountId }
}

/** Whether debits equal credits for each currency and phase. */
export function isBalanced(legs: readonly Leg[]): boolean {
  const [one, other] = legs
  if (legs.length === 2 && one!.side !== other!.side && one!.phase === other!.phase) {
    return one!.currency === other!.currency && one!.amountMinor === other!.amountMinor
  }
  const sums = new Map<string, bigint>()
  for (const { currency, phase, side, amountMinor } of legs) {
    const key = currency + phase
    sums.set(key, (sums.get(key) ?? 0n) + (side === 'debit' ? amountMinor : -amountMinor))
  }
  return [...sums.values()].every((sum) => sum === 0n)
}

/**
 * Whether the debits in a currency exceed the maximum of an amount, so that the database could not add
 * them up. Two legs have amounts that were checked. Reversals are not checked: the database has already
 * added up the same amounts for the original, which may be older than this maximum.
 */
function hasLargeTotal(legs: readonly Leg[]): boolean {
  if (legs.length === 2) return false
  const totals = new Map<string, bigint>()
  for (const { currency, side, amountMinor } of legs) {
    if (side === 'debit') totals.set(currency, (totals.get(currency) ?? 0n) + amountMinor)
  }
  return [...totals.values()].some((total) => total > maxMinor)
}

function withoutDuplicates(violations: readonly Violation[]): Violation[] {
  const seenKeys = new Set<string>()
  return violations.filter(({ code, accountId }) => {
    const key = `${code} ${accountId}`
    return !seenKeys.has(key) && seenKeys.add(key)
  })
}

import { dateOf, dayMs, type LocalDate } from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import type { Made } from './authorisation.ts'
import {
  applyLeg,
  availableOf,
  defaultAddress,
  standingOf,
  type Balance,
  type Leg,
} from './balance.ts'
import { balanceKey, type Books } from './books.ts'
import type { Entry, Instruction, Outcome, Violation } from './instruction.ts'
import { plan, type Planned } from './plan.ts'

/** How many days before and after the booking a value date may be. */
export const valueDateWindowDays = 30
/** No total of an account grows beyond this, so that its balance always fits a 64-bit integer. */
export const mostMinor = 4_000_000_000_000_000_000n
/**
 * Decides one instruction on the books as they are. It changes nothing: what it answers is put
 * into the books by whoever asked, or not at all.
 *
 * Rejects with INVALID_AMOUNT, VALUE_DATE_OUT_OF_WINDOW, AUTHORISATION_NOT_FOUND,
 * AUTHORISATION_ALREADY_CLOSED, AUTHORISATION_EXPIRED, CLIENT_TRANSACTION_ID_REUSED,
 * SETTLEMENT_EXCEEDS_AUTHORISATION, POSTING_NOT_REVERSIBLE, ALREADY_REVERSED, SAME_ACCOUNT,
 * UNBALANCED_ENTRIES, ARRANGEMENT_NOT_FOUND, ARRANGEMENT_CLOSED, ARRANGEMENT_BLOCKED,
 * ACCOUNT_SUSPENDED, CURRENCY_MISMATCH, LIMIT_EXCEEDED, INSUFFICIENT_FUNDS.
 */
export function decide(books: Books, asked: Instruction, made: Made): Outcome {
  const violations = termViolations(asked, made)
  if (violations.length > 0) return { status: 'rejected', violations }
  const planned = plan(books, asked, made)
  if ('code' in planned) return { status: 'rejected', violations: [planned] }
  return book(books, planned, asked, made)
}

function termViolations(asked: Instruction, { now }: Made): Violation[] {
  const violations: Violation[] = []
  const today = dateOf(now)
  const days = asked.valueDate === today ? 0 : daysBetween(today, asked.valueDate)
  if (Math.abs(days) > valueDateWindowDays) {
    const detail = `At most ${valueDateWindowDays} days before or after ${today}.`
    violations.push({ code: 'VALUE_DATE_OUT_OF_WINDOW', detail })
  }
  const isSigned = asked.type === 'authorisation-adjustment'
  const amounts = [
    'money' in asked && asked.money,
    'creditorMoney' in asked && asked.creditorMoney,
    ...('legs' in asked ? asked.legs : []),
  ]
  for (const money of amounts) {
    if (!money || (isSigned ? money.amountMinor !== 0n : money.amountMinor > 0n)) continue
    violations.push({ code: 'INVALID_AMOUNT', detail: 'An amount is more than nothing.' })
  }
  return violations
}

function daysBetween(from: LocalDate, to: LocalDate): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs
}

function book(books: Books, planned: Planned, asked: Instruction, made: Made): Outcome {
  const after = new Map<string, Balance>()
  const violations: Violation[] = []
  const entries: Entry[] = []
  const bookedAt = instantOf(books, planned.legs, made.now)
  for (const leg of planned.legs) {
    const key = balanceKey(leg.accountId, leg.address)
    const balance = after.get(key) ?? books.balance(leg.accountId, leg.address)
    const isKnown = balance && mayUse(balance, leg, made)
    const violation = isKnown ? legViolation(balance, leg, planned, asked) : unknown(leg)
    if (violation) violations.push(violation)
    if (!isKnown || violation) continue
    const { entry, moved } = enter(balance, leg, entries.length + 1, bookedAt)
    after.set(key, moved)
    entries.push(entry)
  }
  if (!isBalanced(planned.legs)) {
    const detail = 'Debits and credits differ in a currency.'
    violations.push({ code: 'UNBALANCED_ENTRIES', detail })
  }
  if (violations.length === 0) {
    for (const balance of after.values()) {
      const before = books.balance(balance.account.accountId, balance.address)!
      const violation = guardViolation(before, balance, asked.isAdvice)
      if (violation) violations.push(violation)
    }
  }
  if (violations.length > 0) return { status: 'rejected', violations: once(violations) }
  const touched = [...after.values()]
  const { authorisation } = planned
  return { status: 'accepted', bookedAt, entries, touched, authorisation }
}

/**
 * Now, or the last booking of an account where that is later: a clock that was set back, or that of
 * another process, does not reorder the books.
 */
function instantOf(books: Books, legs: readonly Leg[], now: Date): Date {
  let at = now
  for (const { accountId, address } of legs) {
    const last = books.balance(accountId, address)?.lastBookedAt
    if (last && last > at) at = last
  }
  return at
}

function enter(balance: Balance, leg: Leg, ordinal: number, at: Date) {
  const isDeferred = balance.account.policy === 'deferred'
  const moved = isDeferred ? balance : applyLeg(balance, leg, at)
  // Written out: copies of objects of many members are slow, and this is made for every entry.
  const entry: Entry = {
    accountId: leg.accountId,
    address: leg.address,
    phase: leg.phase,
    side: leg.side,
    amountMinor: leg.amountMinor,
    currency: leg.currency,
    ordinal,
    sequence: isDeferred ? null : moved.entryCount,
    after: isDeferred ? null : standingOf(moved),
  }
  return { entry, moved }
}

/** A delegated user takes money from their own accounts only; another's are as if they were not there. */
function mayUse({ account }: Balance, { side }: Leg, { actingFor }: Made): boolean {
  if (actingFor === null || account.partyId === actingFor) return true
  return account.partyId !== null && side === account.normalSide
}

function unknown({ accountId, address }: Leg): Violation {
  const detail = `No account is ${accountId}${address === defaultAddress ? '' : ` ${address}`}.`
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
    return { code: 'CURRENCY_MISMATCH', detail: `It is in ${account.currency}.`, accountId }
  }
  if (isClosed) return { code: 'ARRANGEMENT_CLOSED', detail: 'It is closed.', accountId }
  if (isSuspended) {
    const detail = 'A ledger check found the account inconsistent; a correction is pending.'
    return { code: 'ACCOUNT_SUSPENDED', detail, accountId }
  }
  if (blockedFor === null || isPromised || isAdvice) return null
  if (isFreeing(leg)) return null
  const isOut = leg.side !== account.normalSide
  if (blockedFor !== 'all' && (blockedFor === 'debit') !== isOut) return null
  const detail = `Money may not ${isOut ? 'leave' : 'come'} now.`
  return { code: 'ARRANGEMENT_BLOCKED', detail, accountId }
}

function isFreeing({ phase, side }: Leg): boolean {
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
  if (totals.some((total) => total > mostMinor)) {
    return { code: 'LIMIT_EXCEEDED', detail: 'The account holds no more.', accountId }
  }
  if (account.policy === 'unguarded' || isAdvice) return null
  const available = availableOf(after)
  if (available >= 0n || available >= availableOf(before)) return null
  const detail = `${formatAmount(availableOf(before), currency)} is available.`
  return { code: 'INSUFFICIENT_FUNDS', detail, accountId }
}

/** Whether debits equal credits in every currency and phase. */
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

function once(violations: readonly Violation[]): Violation[] {
  const known = new Set<string>()
  return violations.filter(({ code, accountId }) => {
    const key = `${code} ${accountId}`
    return !known.has(key) && known.add(key)
  })
}

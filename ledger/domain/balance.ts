import type { LedgerAccount, Side } from './account.ts'

/**
 * The phase of an amount. A `committed` amount is booked. A `pending-in` amount is authorized to
 * come in, and a `pending-out` amount to go out.
 */
export const phases = ['committed', 'pending-in', 'pending-out'] as const
export type Phase = (typeof phases)[number]

/** The kind of entries for which an account is blocked. */
export type Block = 'debit' | 'credit' | 'all'

export const defaultAddress = 'default'

/** The product and the customer segment to which an amount belongs; empty for none. */
export interface Attribution {
  productId: string
  segment: string
}

/** A debit or credit of an account in one phase. The amount is positive and in minor units. */
export interface Leg {
  accountId: string
  address: string
  phase: Phase
  side: Side
  amountMinor: bigint
  currency: string
  /**
   * What an amount on an internal account belongs to. Omitted if the general ledger derives it from the
   * customer and loan accounts of the posting. Only the bank names it.
   */
  attribution?: Attribution
}

/** Creates a leg that books an amount. */
export function bookedLeg(
  accountId: string,
  side: Side,
  amountMinor: bigint,
  currency: string,
  address: string = defaultAddress,
): Leg {
  return { accountId, address, phase: 'committed', side, amountMinor, currency }
}

/**
 * The balance of an account at one address: the debit and credit totals per phase, which never
 * decrease, and the guard (overdraft limit, block, closed, suspended). Amounts are in minor units
 * of the account's currency.
 */
export interface Balance {
  account: LedgerAccount
  address: string
  committedDebitMinor: bigint
  committedCreditMinor: bigint
  pendingInDebitMinor: bigint
  pendingInCreditMinor: bigint
  pendingOutDebitMinor: bigint
  pendingOutCreditMinor: bigint
  overdraftLimitMinor: bigint
  blockedFor: Block | null
  isClosed: boolean
  /** The number of entries, which is also the sequence of the last entry. */
  entryCount: number
  /** When the last entry was booked. No later entry of the account has an earlier time. */
  lastBookedAt: Date | null
  /**
   * Whether a check found the account inconsistent. Nothing can be posted to it until its balance
   * has been corrected.
   */
  isSuspended: boolean
  /**
   * Identifies the commit that wrote the row of this balance. A decision based on this balance can
   * only be committed while the row still has this stamp. Each commit writes a different stamp.
   */
  stamp: string
}

/** The stamp of a balance that no posting has changed yet. */
export const openingStamp = '00000000-0000-0000-0000-000000000000'

/** Returns the empty opening balance of an account. */
export function emptyBalance(
  account: LedgerAccount,
  guard: Partial<Pick<Balance, 'overdraftLimitMinor' | 'blockedFor'>> = {},
  address = defaultAddress,
): Balance {
  return {
    account,
    address,
    committedDebitMinor: 0n,
    committedCreditMinor: 0n,
    pendingInDebitMinor: 0n,
    pendingInCreditMinor: 0n,
    pendingOutDebitMinor: 0n,
    pendingOutCreditMinor: 0n,
    overdraftLimitMinor: 0n,
    blockedFor: null,
    isClosed: false,
    ...guard,
    entryCount: 0,
    lastBookedAt: null,
    isSuspended: false,
    stamp: openingStamp,
  }
}

/** Returns the booked balance. It is positive if it is on the account's normal side. */
export function committedOf(balance: Balance): bigint {
  return onNormalSide(balance, balance.committedDebitMinor, balance.committedCreditMinor)
}

/** Returns the pending incoming amount, which is never negative. */
export function pendingInOf(balance: Balance): bigint {
  return onNormalSide(balance, balance.pendingInDebitMinor, balance.pendingInCreditMinor)
}

/** Returns the pending outgoing amount, which is never negative. */
export function pendingOutOf(balance: Balance): bigint {
  return -onNormalSide(balance, balance.pendingOutDebitMinor, balance.pendingOutCreditMinor)
}

/**
 * Returns the available balance: committed − pending out + overdraft limit. Pending incoming
 * amounts do not count.
 */
export function availableOf(balance: Balance): bigint {
  return committedOf(balance) - pendingOutOf(balance) + balance.overdraftLimitMinor
}

function onNormalSide({ account }: Balance, debit: bigint, credit: bigint): bigint {
  return account.normalSide === 'credit' ? credit - debit : debit - credit
}

/**
 * The amounts of a balance in minor units of the account's currency. A positive amount is on the
 * account's normal side.
 */
export interface BalanceAmounts {
  committedMinor: bigint
  pendingInMinor: bigint
  pendingOutMinor: bigint
  availableMinor: bigint
}

export function balanceAmountsOf(balance: Balance): BalanceAmounts {
  const committedMinor = committedOf(balance)
  const pendingOutMinor = pendingOutOf(balance)
  return {
    committedMinor,
    pendingInMinor: pendingInOf(balance),
    pendingOutMinor,
    availableMinor: committedMinor - pendingOutMinor + balance.overdraftLimitMinor,
  }
}

/** Returns the amount of one phase. */
export function amountOfPhase(amounts: BalanceAmounts, phase: Phase): bigint {
  if (phase === 'committed') return amounts.committedMinor
  return phase === 'pending-in' ? amounts.pendingInMinor : amounts.pendingOutMinor
}

/** Returns the balance after one leg. The entry of the leg gets the next sequence. */
export function applyLeg(
  before: Balance,
  { phase, side, amountMinor }: Leg,
  bookedAt: Date,
): Balance {
  const after = { ...before, entryCount: before.entryCount + 1, lastBookedAt: bookedAt }
  const isDebit = side === 'debit'
  if (phase === 'committed') {
    if (isDebit) after.committedDebitMinor += amountMinor
    else after.committedCreditMinor += amountMinor
  } else if (phase === 'pending-in') {
    if (isDebit) after.pendingInDebitMinor += amountMinor
    else after.pendingInCreditMinor += amountMinor
  } else if (isDebit) after.pendingOutDebitMinor += amountMinor
  else after.pendingOutCreditMinor += amountMinor
  return after
}

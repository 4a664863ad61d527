import type { LedgerAccount, Side } from './account.ts'

/** Where money stands: booked, announced to come, or promised to leave. */
export const phases = ['committed', 'pending-in', 'pending-out'] as const
export type Phase = (typeof phases)[number]

/** Which way money cannot move on an account. */
export type Block = 'debit' | 'credit' | 'all'

export const defaultAddress = 'default'

/** One movement of an account in one phase. The amount is positive, in minor units. */
export interface Leg {
  accountId: string
  address: string
  phase: Phase
  side: Side
  amountMinor: bigint
  currency: string
}

/**
 * What an account holds at one address, with totals per phase that only grow, and what guards it.
 * Amounts are minor units of the account's currency.
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
  /** The sequence of its last entry. */
  entryCount: number
  /** When its last entry was booked; entries of an account never go back in time. */
  lastBookedAt: Date | null
  /** A check found the account inconsistent: nothing is posted to it until it has been corrected. */
  isSuspended: boolean
  /**
   * Identifies the commit that wrote the row this balance was read from. A decision on it stands only
   * while the row carries the same stamp; no two commits leave the same one.
   */
  stamp: string
}

/** The stamp of an account that nothing has moved on yet. */
export const openingStamp = '00000000-0000-0000-0000-000000000000'

/** An account's opening balance: nothing yet. */
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

/** What is booked, positive on the account's normal side. */
export function committedOf(balance: Balance): bigint {
  return onNormalSide(balance, balance.committedDebitMinor, balance.committedCreditMinor)
}

/** What is announced to come; never negative. */
export function pendingInOf(balance: Balance): bigint {
  return onNormalSide(balance, balance.pendingInDebitMinor, balance.pendingInCreditMinor)
}

/** What is promised to leave; never negative. */
export function pendingOutOf(balance: Balance): bigint {
  return -onNormalSide(balance, balance.pendingOutDebitMinor, balance.pendingOutCreditMinor)
}

/** What may leave now: committed − pending out + overdraft limit. What is to come never counts. */
export function availableOf(balance: Balance): bigint {
  return committedOf(balance) - pendingOutOf(balance) + balance.overdraftLimitMinor
}

function onNormalSide({ account }: Balance, debit: bigint, credit: bigint): bigint {
  return account.normalSide === 'credit' ? credit - debit : debit - credit
}

/** What an account holds, each figure positive on its normal side, in minor units of its currency. */
export interface Standing {
  committedMinor: bigint
  pendingInMinor: bigint
  pendingOutMinor: bigint
  availableMinor: bigint
}

export function standingOf(balance: Balance): Standing {
  const committedMinor = committedOf(balance)
  const pendingOutMinor = pendingOutOf(balance)
  return {
    committedMinor,
    pendingInMinor: pendingInOf(balance),
    pendingOutMinor,
    availableMinor: committedMinor - pendingOutMinor + balance.overdraftLimitMinor,
  }
}

/** The figure of one phase. */
export function phaseFigure(standing: Standing, phase: Phase): bigint {
  if (phase === 'committed') return standing.committedMinor
  return phase === 'pending-in' ? standing.pendingInMinor : standing.pendingOutMinor
}

/** The balance after one movement. The entry gets the next sequence of the account. */
export function applyLeg(before: Balance, { phase, side, amountMinor }: Leg, at: Date): Balance {
  const after = { ...before, entryCount: before.entryCount + 1, lastBookedAt: at }
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

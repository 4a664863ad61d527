import type { LedgerAccount, Policy, Side, AccountType } from './domain/account.ts'
import type { Balance, Block, Phase, BalanceAmounts } from './domain/balance.ts'
import type { Authorization, AuthorizationState, Entry } from './domain/instruction.ts'
import type { FieldValues } from '../kernel/writing/composites.ts'
import type { LocalDate } from '../kernel/domain/dates.ts'

/** A row of `ledger.balance` joined with its account. Big integers are strings. */
export interface BalanceRow {
  account_id: string
  code: string
  arrangement_id: string | null
  party_id: string | null
  type: AccountType
  normal_side: Side
  currency: string
  policy: Policy
  address: string
  committed_debit: string
  committed_credit: string
  pending_in_debit: string
  pending_in_credit: string
  pending_out_debit: string
  pending_out_credit: string
  overdraft_limit: string
  blocked_for: Block | null
  is_closed: boolean
  entry_count: string
  last_booked_at: Date | null
  is_suspended: boolean
  stamp: string
}

export const balanceColumns =
  'a.account_id, a.code, a.arrangement_id, a.party_id, a.type, a.normal_side, a.currency, a.policy, ' +
  'b.address, b.committed_debit, b.committed_credit, b.pending_in_debit, b.pending_in_credit, ' +
  'b.pending_out_debit, b.pending_out_credit, b.overdraft_limit, b.blocked_for, b.is_closed, ' +
  'b.entry_count, b.last_booked_at, b.is_suspended, b.stamp'

export function balanceFrom(row: BalanceRow): Balance {
  return {
    account: accountFrom(row),
    address: row.address,
    committedDebitMinor: BigInt(row.committed_debit),
    committedCreditMinor: BigInt(row.committed_credit),
    pendingInDebitMinor: BigInt(row.pending_in_debit),
    pendingInCreditMinor: BigInt(row.pending_in_credit),
    pendingOutDebitMinor: BigInt(row.pending_out_debit),
    pendingOutCreditMinor: BigInt(row.pending_out_credit),
    overdraftLimitMinor: BigInt(row.overdraft_limit),
    blockedFor: row.blocked_for,
    isClosed: row.is_closed,
    entryCount: Number(row.entry_count),
    lastBookedAt: row.last_booked_at,
    isSuspended: row.is_suspended,
    stamp: row.stamp,
  }
}

function accountFrom(row: BalanceRow): LedgerAccount {
  return {
    accountId: row.account_id,
    code: row.code,
    arrangementId: row.arrangement_id,
    partyId: row.party_id,
    type: row.type,
    normalSide: row.normal_side,
    currency: row.currency,
    policy: row.policy,
  }
}

/** Returns the values of a row in the order of the columns of `ledger.account`. */
export function accountFields(account: LedgerAccount): FieldValues {
  const { accountId, code, arrangementId, partyId, type, normalSide, currency, policy } = account
  return [accountId, code, arrangementId, partyId, type, normalSide, currency, policy]
}

/**
 * Returns the values of a balance in the order of the table's columns. `stamp` is the stamp with
 * which the balance was read; the stored row must still have it.
 */
export function balanceFields(balance: Balance): FieldValues {
  return [
    balance.account.accountId,
    balance.address,
    balance.committedDebitMinor,
    balance.committedCreditMinor,
    balance.pendingInDebitMinor,
    balance.pendingInCreditMinor,
    balance.pendingOutDebitMinor,
    balance.pendingOutCreditMinor,
    balance.overdraftLimitMinor,
    balance.blockedFor,
    balance.isClosed,
    balance.entryCount,
    balance.lastBookedAt,
    balance.stamp,
    balance.isSuspended,
    balance.entryCount,
  ]
}

export interface EntryRow {
  account_id: string
  address: string
  sequence: string
  posting_instruction_id: string
  ordinal: number
  phase: Phase
  side: Side
  amount: string
  currency: string
  booked_at: Date
  value_date: Date
  committed_after: string | null
  pending_in_after: string | null
  pending_out_after: string | null
  available_after: string | null
}

/** Returns the values of a row in the order of the columns of `ledger.entry`. */
export function entryFields(
  entry: Entry,
  postingInstructionId: string,
  bookedAt: Date,
  valueDate: LocalDate,
): FieldValues {
  const { after } = entry
  return [
    entry.accountId,
    entry.address,
    entry.sequence,
    postingInstructionId,
    entry.ordinal,
    entry.phase,
    entry.side,
    entry.amountMinor,
    entry.currency,
    bookedAt,
    valueDate,
    after && after.committedMinor,
    after && after.pendingInMinor,
    after && after.pendingOutMinor,
    after && after.availableMinor,
  ]
}

export function entryFrom(row: EntryRow): Entry {
  return {
    accountId: row.account_id,
    address: row.address,
    phase: row.phase,
    side: row.side,
    amountMinor: BigInt(row.amount),
    currency: row.currency,
    ordinal: row.ordinal,
    sequence: Number(row.sequence),
    after: amountsFrom(row),
  }
}

type AmountColumns = Pick<
  EntryRow,
  'committed_after' | 'pending_in_after' | 'pending_out_after' | 'available_after'
>

function amountsFrom(row: AmountColumns): BalanceAmounts | null {
  if (row.committed_after === null) return null
  return {
    committedMinor: BigInt(row.committed_after),
    pendingInMinor: BigInt(row.pending_in_after!),
    pendingOutMinor: BigInt(row.pending_out_after!),
    availableMinor: BigInt(row.available_after!),
  }
}

export interface AuthorizationRow {
  client_id: string
  client_transaction_id: string
  account_id: string
  contra_id: string
  direction: 'in' | 'out'
  currency: string
  authorized: string
  settled: string
  released: string
  open: string
  exceeded: string
  state: AuthorizationState
  expires_at: Date | null
  opened_at: Date
  opened_by: string
  stamp: string
}

export function authorizationFrom(row: AuthorizationRow): Authorization {
  return {
    clientId: row.client_id,
    clientTransactionId: row.client_transaction_id,
    accountId: row.account_id,
    contraId: row.contra_id,
    direction: row.direction,
    currency: row.currency,
    authorizedMinor: BigInt(row.authorized),
    settledMinor: BigInt(row.settled),
    releasedMinor: BigInt(row.released),
    openMinor: BigInt(row.open),
    exceededMinor: BigInt(row.exceeded),
    state: row.state,
    expiresAt: row.expires_at,
    openedAt: row.opened_at,
    openedBy: row.opened_by,
    stamp: row.stamp,
  }
}

/** Returns the values of a row in the order of the columns of `ledger.authorization`. */
export function authorizationFields(authorization: Authorization): FieldValues {
  return [
    authorization.clientId,
    authorization.clientTransactionId,
    authorization.accountId,
    authorization.contraId,
    authorization.direction,
    authorization.currency,
    authorization.authorizedMinor,
    authorization.settledMinor,
    authorization.releasedMinor,
    authorization.openMinor,
    authorization.exceededMinor,
    authorization.state,
    authorization.expiresAt,
    authorization.openedAt,
    authorization.openedBy,
    authorization.stamp,
  ]
}

import { randomUUID } from 'node:crypto'
import type { Context } from '../kernel/environment/context.ts'
import { catalog } from '../kernel/domain/problem.ts'
import { Problem } from './domain/problems.ts'
import type { DomainEvent } from '../kernel/events/events.ts'
import { arrayOf, composites, insertRows, insertTexts } from '../kernel/writing/composites.ts'
import type { Write } from '../kernel/writing/writes.ts'
import {
  normalSideOf,
  type AccountType,
  type LedgerAccount,
  type Policy,
} from './domain/account.ts'
import type { PostingOrigin } from './domain/authorization.ts'
import { defaultAddress, emptyBalance, type Balance, type Block } from './domain/balance.ts'
import { balanceKey, type Books } from './domain/books.ts'
import { decideAll, Draft } from './domain/draft.ts'
import type { Instruction, Violation } from './domain/instruction.ts'
import { readHeldBooks } from './hold.ts'
import { recordOf, type Posting, type PostingRecord } from './journal.ts'
import { lineOf } from './line.ts'
import { openInternalAccounts } from './own-accounts.ts'
import { needsOf } from './read.ts'
import { postingEvent } from './posting-event.ts'
import { accountFields, authorizationFields, balanceFields } from './rows.ts'

/** A ledger account to open, with its addresses. */
export interface NewAccount {
  accountId: string
  code: string
  arrangementId: string | null
  partyId: string | null
  type: AccountType
  currency: string
  policy: Policy
  addresses?: readonly string[]
  overdraftLimitMinor?: bigint
  blockedFor?: Block | null
}

/**
 * Returns the writes that open a ledger account. They belong in the commit that creates the account
 * arrangement or facility.
 */
export function openLedgerAccount(newAccount: NewAccount): Write[] {
  const balances = openingBalances(newAccount)
  return [
    insertRows('ledger.account', [accountFields(balances[0]!.account)]),
    insertRows('ledger.balance', balances.map(balanceFields)),
  ]
}

/** Returns the opening balance of an account at each of its addresses. */
function openingBalances(newAccount: NewAccount): Balance[] {
  const { addresses = [defaultAddress], overdraftLimitMinor = 0n, blockedFor = null } = newAccount
  const account: LedgerAccount = {
    accountId: newAccount.accountId,
    code: newAccount.code,
    arrangementId: newAccount.arrangementId,
    partyId: newAccount.partyId,
    type: newAccount.type,
    normalSide: normalSideOf(newAccount.type),
    currency: newAccount.currency,
    policy: newAccount.policy,
  }
  const guard = { overdraftLimitMinor, blockedFor }
  return addresses.map((address) => emptyBalance(account, guard, address))
}

/**
 * Returns the write that changes the guard of an account: its overdraft limit, its block, or
 * whether it is closed. If a posting has changed the balance since it was read, the command is
 * decided again.
 */
export function changeGuard(
  { account, address, stamp, overdraftLimitMinor, blockedFor, isClosed }: Balance,
  changes: Partial<Pick<Balance, 'overdraftLimitMinor' | 'blockedFor' | 'isClosed'>>,
): Write {
  const after = { overdraftLimitMinor, blockedFor, isClosed, ...changes }
  return {
    sql:
      'update ledger.balance b set overdraft_limit = $4, blocked_for = $5, is_closed = $6, ' +
      'stamp = $7 from claim ' +
      'where b.account_id = $1 and b.address = $2 and b.stamp = $3 returning 1',
    values: [
      account.accountId,
      address,
      stamp,
      after.overdraftLimitMinor.toString(),
      after.blockedFor,
      after.isClosed,
      randomUUID(),
    ],
    rows: 1,
  }
}

/** The decision on postings, with the writes and events for the caller's commit. */
export interface BookingDecision {
  /** The reasons for a rejection. If there are any, nothing is booked or written. */
  violations: Violation[]
  records: PostingRecord[]
  writes: Write[]
  events: DomainEvent[]
}

/** The new blocks of accounts, by account; null if an account is not blocked. */
export type NewBlocks = ReadonlyMap<string, Block | null>

const noBlocks: NewBlocks = new Map()

/**
 * Decides postings that belong to another change, such as a drawdown, a repayment or a fee. Either
 * all of them are booked, in the statement that commits the change, or none. The statement requires
 * that the balances still have the stamps they had when they were read. `blocks` are set after the
 * postings.
 */
export async function decideBooking(
  context: Context,
  postings: readonly Posting[],
  blocks = noBlocks,
): Promise<BookingDecision> {
  const instructions = postings.map(({ instruction }) => instruction)
  const { bank, caller } = context
  const { accountIds, ...more } = needsOf(instructions, caller.clientId)
  const needs = { ...more, accountIds: new Set([...accountIds, ...blocks.keys()]) }
  await openInternalAccounts(bank, needs.accountIds)
  const books = await readHeldBooks(context, needs)
  return decideWith(context, books, postings, blocks)
}

/**
 * Like `decideBooking`, but first opens accounts, to which the postings and the blocks may refer, in
 * the same commit.
 */
export async function decideOpeningAndBooking(
  context: Context,
  accounts: readonly NewAccount[],
  postings: readonly Posting[],
  blocks = noBlocks,
): Promise<BookingDecision> {
  const instructions = postings.map(({ instruction }) => instruction)
  const { bank, caller } = context
  const needs = needsOf(instructions, caller.clientId)
  await openInternalAccounts(bank, needs.accountIds)
  const books = await readHeldBooks(context, needs)
  for (const balance of accounts.flatMap(openingBalances)) {
    books.balances.set(balanceKey(balance.account.accountId, balance.address), balance)
  }
  const booked = decideWith(context, books, postings, blocks)
  return { ...booked, writes: [...accounts.flatMap(openLedgerAccount), ...booked.writes] }
}

/**
 * Throws a problem with the code of the first violation and a list of all violations, unless the
 * postings were accepted.
 */
export function requireBooked({ violations }: BookingDecision): void {
  const [first] = violations
  if (!first) return
  throw new Problem(first.code, {
    detail: first.detail,
    ...(catalog[first.code].status === 404 && { status: 422 as const }),
    violations: violations.map(({ code, detail }) => ({ code, detail })),
  })
}

/** Decides postings, and then the new blocks of accounts, on books that were already read. */
export function decideWith(
  context: Context,
  books: Books,
  postings: readonly Posting[],
  blocks = noBlocks,
): BookingDecision {
  const now = context.now()
  const origins = postings.map((): PostingOrigin => ({
    postingInstructionId: context.newId('postingInstruction'),
    clientId: context.caller.clientId,
    actingFor: context.caller.partyId,
    now,
  }))
  const draft = new Draft(books)
  const instructions: Instruction[] = postings.map(({ instruction }) => instruction)
  const outcomes = decideAll(draft, instructions, origins)
  const records = postings.map((posting, index) =>
    recordOf(posting, outcomes[index]!, origins[index]!, null, index),
  )
  const violations = records.flatMap((record) => record.violations)
  if (records.some(({ status }) => status === 'rejected')) {
    return { violations, records, writes: [], events: [] }
  }
  for (const [accountId, blockedFor] of blocks) {
    const balance = draft.balance(accountId, defaultAddress)!
    draft.balances.set(balanceKey(accountId, defaultAddress), { ...balance, blockedFor })
  }
  return {
    violations,
    records,
    writes: writesOf(draft, records, randomUUID()),
    events: records.map(postingEvent),
  }
}

/**
 * Returns the writes for the postings, entries, balances and authorizations of a draft. They
 * require that every balance that was read still has its stamp, including balances on which only a
 * rejection depends. Changed balances get the new `stamp`, which identifies this attempt and must
 * never be reused.
 */
export function writesOf(draft: Draft, records: readonly PostingRecord[], stamp: string): Write[] {
  const lines = records.map(lineOf)
  const postings = lines.map(({ posting, digest }) => `${posting},${digest}`)
  const writes = postings.length === 0 ? [] : [insertTexts('ledger.posting_instruction', postings)]
  const balances = balancesToCheck(draft)
  const entries = lines.flatMap((line) => line.entries)
  if (balances.length > 0 || entries.length > 0) {
    const authorizations = [...draft.authorizations.values()].map(authorizationFields)
    const rows = balances.map(balanceFields)
    const changesAll = balances.every(({ account, address }) =>
      draft.balances.has(balanceKey(account.accountId, address)),
    )
    writes.push({
      sql: 'select 1 from claim, ledger.book($1::ledger.balance[], $2::ledger.entry[], $3::ledger.authorization[], $4, $5)',
      values: [composites(rows), arrayOf(entries), composites(authorizations), stamp, changesAll],
      rows: 1,
    })
  }
  return writes
}

/** Returns the balances whose stamps must be checked, in an order that prevents deadlocks. */
function balancesToCheck(draft: Draft): Balance[] {
  const balances = [...new Map([...draft.readBalances, ...draft.balances]).values()]
  return balances
    .filter(({ account }) => account.policy !== 'deferred')
    .sort(
      (one, other) =>
        compare(one.account.accountId, other.account.accountId) ||
        compare(one.address, other.address),
    )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one === other ? 0 : 1
}

import { randomUUID } from 'node:crypto'
import type { Context } from '../_kernel/context.ts'
import { catalogue, Problem } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
import { arrayOf, composites, insertRows, insertTexts, type Fields } from '../_kernel/composites.ts'
import type { Write } from '../_kernel/writes.ts'
import {
  normalSideOf,
  type AccountType,
  type LedgerAccount,
  type Policy,
} from './domain/account.ts'
import type { Made } from './domain/authorisation.ts'
import { defaultAddress, emptyBalance, type Balance, type Block } from './domain/balance.ts'
import { balanceKey, type Books } from './domain/books.ts'
import { decideAll, Draft } from './domain/draft.ts'
import type { Instruction, Violation } from './domain/instruction.ts'
import { readHeldBooks } from './hold.ts'
import { recordOf, type Posting, type PostingRecord } from './journal.ts'
import { lineOf } from './line.ts'
import { openOwnAccounts } from './own-accounts.ts'
import { needsOf } from './read.ts'
import { postingTold } from './told.ts'
import { accountFields, authorisationFields, balanceFields } from './rows.ts'

/** A ledger account to open, with the addresses it has. */
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

/** Opens an account of the ledger; part of the commit that opens what it is the account of. */
export function openLedgerAccount(asked: NewAccount): Write[] {
  const balances = openingBalances(asked)
  return [
    insertRows('ledger.account', [accountFields(balances[0]!.account)]),
    insertRows('ledger.balance', balances.map(balanceFields)),
  ]
}

/** What an account begins with, at each of its addresses. */
function openingBalances(asked: NewAccount): Balance[] {
  const { addresses = [defaultAddress], overdraftLimitMinor = 0n, blockedFor = null } = asked
  const account: LedgerAccount = {
    accountId: asked.accountId,
    code: asked.code,
    arrangementId: asked.arrangementId,
    partyId: asked.partyId,
    type: asked.type,
    normalSide: normalSideOf(asked.type),
    currency: asked.currency,
    policy: asked.policy,
  }
  const guard = { overdraftLimitMinor, blockedFor }
  return addresses.map((address) => emptyBalance(account, guard, address))
}

/**
 * Changes what guards an account, decided on the balance as it was read: when money moved since,
 * the command is decided again.
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

/** What was decided of postings, as values for the caller's one statement. */
export interface Booked {
  /** Why nothing is booked; empty when all is. Nothing is written then. */
  violations: Violation[]
  records: PostingRecord[]
  writes: Write[]
  events: Told[]
}

/**
 * Decides postings that belong to another change: a drawdown, a repayment, a charge. They are
 * booked in the statement that commits the change, or not at all; together they are one unit. The
 * balances are held to the versions they were decided on.
 */
export async function bookWith(context: Context, postings: readonly Posting[]): Promise<Booked> {
  const asked = postings.map(({ instruction }) => instruction)
  const { bank, caller } = context
  const needs = needsOf(asked, caller.clientId)
  await openOwnAccounts(bank, needs.accountIds)
  const books = await readHeldBooks(context, needs)
  return decideWith(context, books, postings)
}

/**
 * Opens accounts and decides postings that move money on them already: what is opened and what is
 * first booked on it are one commit.
 */
export async function openAndBook(
  context: Context,
  accounts: readonly NewAccount[],
  postings: readonly Posting[],
): Promise<Booked> {
  const asked = postings.map(({ instruction }) => instruction)
  const { bank, caller } = context
  const needs = needsOf(asked, caller.clientId)
  await openOwnAccounts(bank, needs.accountIds)
  const books = await readHeldBooks(context, needs)
  for (const balance of accounts.flatMap(openingBalances)) {
    books.balances.set(balanceKey(balance.account.accountId, balance.address), balance)
  }
  const booked = decideWith(context, books, postings)
  return { ...booked, writes: [...accounts.flatMap(openLedgerAccount), ...booked.writes] }
}

/** Promises that the books allowed it. Refuses with the code of the first violation, and all of them. */
export function requireBooked({ violations }: Booked): void {
  const [first] = violations
  if (!first) return
  throw new Problem(first.code, {
    detail: first.detail,
    ...(catalogue[first.code].status === 404 && { status: 422 as const }),
    violations: violations.map(({ code, detail }) => ({ code, detail })),
  })
}

/** The same on books that were read before. */
export function decideWith(context: Context, books: Books, postings: readonly Posting[]): Booked {
  const now = context.now()
  const made = postings.map((): Made => ({
    postingInstructionId: context.newId('postingInstruction'),
    clientId: context.caller.clientId,
    actingFor: context.caller.partyId,
    now,
  }))
  const draft = new Draft(books)
  const asked: Instruction[] = postings.map(({ instruction }) => instruction)
  const outcomes = decideAll(draft, asked, made)
  const records = postings.map((posting, at) =>
    recordOf(posting, outcomes[at]!, made[at]!, null, at),
  )
  const violations = records.flatMap((record) => record.violations)
  if (records.some(({ status }) => status === 'rejected')) {
    return { violations, records, writes: [], events: [] }
  }
  return {
    violations,
    records,
    writes: writesOf(draft, records, randomUUID()),
    events: records.map(postingTold),
  }
}

/**
 * The postings, the entries, the balances and the authorizations of one unit. All balances that were
 * looked at are held to their stamps, also those that a rejection stands on; what moved gets the new
 * one, which identifies this attempt and must never be used again.
 */
export function writesOf(draft: Draft, records: readonly PostingRecord[], stamp: string): Write[] {
  const lines = records.map(lineOf)
  const postings = lines.map(({ posting, digest }) => `${posting},${digest}`)
  const writes = [insertTexts('ledger.posting_instruction', postings)]
  const held = heldBalances(draft)
  const entries = lines.flatMap((line) => line.entries)
  if (held.length > 0 || entries.length > 0) {
    const chains = [...draft.authorisations.values()].map(authorisationFields)
    writes.push({
      sql: 'select 1 from claim, ledger.book($1::ledger.balance[], $2::ledger.entry[], $3::ledger.authorisation[], $4)',
      values: [composites(held), arrayOf(entries), composites(chains), stamp],
      rows: 1,
    })
  }
  return writes
}

/** In one order for everybody, so that no two commits wait for each other. */
function heldBalances(draft: Draft): Fields[] {
  const held = [...new Map([...draft.seen, ...draft.balances]).values()]
  return held
    .filter(({ account }) => account.policy !== 'deferred')
    .sort(
      (one, other) =>
        compare(one.account.accountId, other.account.accountId) ||
        compare(one.address, other.address),
    )
    .map(balanceFields)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one === other ? 0 : 1
}

import type { Context } from '../_kernel/context.ts'
import { catalogue, Problem } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
import { arrayOf, composites, insertRows, insertTexts } from '../_kernel/composites.ts'
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
import type { Authorisation, Instruction, Violation } from './domain/instruction.ts'
import { recordOf, type Posting, type PostingRecord } from './journal.ts'
import { lineOf } from './line.ts'
import { openOwnAccounts } from './own-accounts.ts'
import { needsOf, readBooks } from './read.ts'
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
  { account, address, version, overdraftLimitMinor, blockedFor, isClosed }: Balance,
  changes: Partial<Pick<Balance, 'overdraftLimitMinor' | 'blockedFor' | 'isClosed'>>,
): Write {
  const after = { overdraftLimitMinor, blockedFor, isClosed, ...changes }
  return {
    sql:
      'update ledger.balance b set overdraft_limit = $4, blocked_for = $5, is_closed = $6, ' +
      'version = b.version + 1 from claim ' +
      'where b.account_id = $1 and b.address = $2 and b.version = $3 returning 1',
    values: [
      account.accountId,
      address,
      version,
      after.overdraftLimitMinor.toString(),
      after.blockedFor,
      after.isClosed,
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
  const books = await readBooks(bank.pool, asked, caller.clientId)
  await openOwnAccounts(bank, needsOf(asked, caller.clientId).accountIds)
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
  const books = await readBooks(bank.pool, asked, caller.clientId)
  await openOwnAccounts(bank, needsOf(asked, caller.clientId).accountIds)
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
    writes: writesOf(draft, records),
    events: records.map(postingTold),
  }
}

/** The postings, the entries, the balances and the authorisations of one unit. */
export function writesOf(draft: Draft, records: readonly PostingRecord[]): Write[] {
  const lines = records.map(lineOf)
  const postings = lines.map(({ posting, digest }) => `${posting},${digest}`)
  const writes = [insertTexts('ledger.posting_instruction', postings)]
  const entries = lines.flatMap((line) => line.entries)
  if (entries.length > 0) {
    // In one order for everybody, so that no two commits wait for each other.
    const keys = [...draft.balances.keys()].sort()
    const balances = keys.map((key) => balanceFields(draft.balances.get(key)!))
    writes.push({
      sql: 'select 1 from claim, ledger.book($1::ledger.balance[], $2::ledger.entry[])',
      values: [composites(balances), arrayOf(entries)],
      rows: 1,
    })
  }
  const { authorisations } = draft
  if (authorisations.size > 0) writes.push(putAuthorisations([...authorisations.values()]))
  return writes
}

/** A chain that is there goes on from where its account's balance was read, a new one is held to not being there. */
function putAuthorisations(authorisations: readonly Authorisation[]): Write {
  return {
    sql:
      'insert into ledger.authorisation as t select r.* from claim, unnest($1::ledger.authorisation[]) r ' +
      'on conflict (client_id, client_transaction_id) do update set authorised = excluded.authorised, ' +
      'settled = excluded.settled, released = excluded.released, open = excluded.open, ' +
      'exceeded = excluded.exceeded, state = excluded.state, version = excluded.version ' +
      'where t.version < excluded.version and t.opened_by = excluded.opened_by returning 1',
    values: [composites(authorisations.map(authorisationFields))],
    rows: authorisations.length,
  }
}

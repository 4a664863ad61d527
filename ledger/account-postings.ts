import type { Queries } from '../kernel/database/read-rows.ts'
import { dateOf, type LocalDate } from '../kernel/domain/dates.ts'
import { bankCaller } from '../kernel/authorization/auth.ts'
import type { Side } from './domain/account.ts'
import type { InstructionType } from './domain/instruction.ts'
import type { AccountPosting, AddressedEntry } from './domain/account-posting.ts'
import { read } from './read.ts'
import { narrativeIn } from './statement-lines.ts'

/** The postings with which the bank keeps one of its accounts. */
export interface PostingScope {
  /** The account whose entries are read. */
  accountId: string
  /** The client transaction ID of further postings, which need not have an entry on the account. */
  clientTransactionId: string
}

const ownPostingsSql =
  'select q.posting_instruction_id from ledger.posting_instruction q where q.client_id = $2 ' +
  "and q.client_transaction_id = $3 and q.status = 'accepted' and q.value_date"
const postingsSql =
  'select p.posting_instruction_id as id, p.type, p.reverses_id as reverses, p.booked_at as booked, ' +
  'p.value_date as valued, p.details from ledger.posting_instruction p where p.posting_instruction_id in ' +
  '(select e.posting_instruction_id from ledger.entry e where e.account_id = $1 and e.value_date between $4 and $5 ' +
  `union ${ownPostingsSql} between $4 and $5) ` +
  'order by p.value_date, p.booked_at, p.posting_instruction_id limit $6'
const entriesSql =
  'select e.posting_instruction_id as id, e.account_id as account, e.address, a.code, e.side, e.amount::text as amount ' +
  'from ledger.entry e join ledger.account a using (account_id) ' +
  'where e.posting_instruction_id = any($1) order by e.posting_instruction_id, e.ordinal'

interface PostingRow {
  id: string
  type: InstructionType
  reverses: string | null
  booked: Date
  valued: Date
  details: string
}

interface EntryRow {
  id: string
  account: string
  address: string
  code: string
  side: Side
  amount: string
}

/**
 * Reads up to `max` postings of the bank with value dates in a period, whenever they were booked, in the
 * order of their value dates and then of their booking.
 */
export async function readAccountPostings(
  queries: Queries,
  { accountId, clientTransactionId }: PostingScope,
  { from, to }: { from: LocalDate; to: LocalDate },
  max: number,
): Promise<AccountPosting[]> {
  const scope = [accountId, bankCaller.clientId, clientTransactionId]
  const rows = await read<PostingRow>(queries, postingsSql, [...scope, from, to, max])
  const entries = await read<EntryRow>(queries, entriesSql, [rows.map(({ id }) => id)])
  const byId = new Map<string, AddressedEntry[]>(rows.map(({ id }) => [id, []]))
  for (const { id, account, amount, ...entry } of entries) {
    byId.get(id)!.push({ ...entry, accountId: account, amountMinor: BigInt(amount) })
  }
  return rows.map(({ id, type, reverses, booked, valued, details }) => ({
    postingInstructionId: id,
    type,
    reversesId: reverses,
    bookedAt: booked,
    valueDate: dateOf(valued),
    text: narrativeIn(details).remittanceInformation ?? '',
    entries: byId.get(id)!,
  }))
}

const signedSum =
  "coalesce(sum(case e.side when 'debit' then e.amount else -e.amount end), 0)::text"
const balancesSql =
  `select e.address, ${signedSum} as amount from ledger.entry e ` +
  'where e.account_id = $1 and e.value_date < $2 group by e.address'
const counterSql =
  `select ${signedSum} as amount from ledger.entry e where e.account_id = $1 ` +
  `and e.posting_instruction_id in (${ownPostingsSql} < $4)`

/**
 * Returns the balances of an account at its addresses before a day, by value date: what was debited
 * less what was credited. Addresses without entries are left out.
 */
export async function readBalancesBefore(
  queries: Queries,
  accountId: string,
  day: LocalDate,
): Promise<Map<string, bigint>> {
  const values = [accountId, day]
  const rows = await read<{ address: string; amount: string }>(queries, balancesSql, values)
  return new Map(rows.map(({ address, amount }) => [address, BigInt(amount)]))
}

/**
 * Returns what the bank's postings with a client transaction ID debited to an internal account before a
 * day, by value date, less what they credited.
 */
export async function readDebitedBefore(
  queries: Queries,
  internalAccountId: string,
  clientTransactionId: string,
  day: LocalDate,
): Promise<bigint> {
  const values = [internalAccountId, bankCaller.clientId, clientTransactionId, day]
  const [row] = await read<{ amount: string }>(queries, counterSql, values)
  return BigInt(row!.amount)
}

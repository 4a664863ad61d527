import type { Queries } from '../kernel/database/read-rows.ts'
import type { LocalDate } from '../kernel/domain/dates.ts'
import { defaultAddress, balanceAmountsOf, type BalanceAmounts } from './domain/balance.ts'
import type { Entry } from './domain/instruction.ts'
import { read, readBalances } from './read.ts'
import { entryFrom, type EntryRow } from './rows.ts'

/** An entry with its booking time and its posting instruction. */
export interface BookedEntry extends Entry {
  postingInstructionId: string
  bookedAt: Date
  /** The date from which the entry counts for interest. */
  valueDate: LocalDate
}

/**
 * Returns the current balances of accounts, by account ID. Accounts that do not exist in the ledger
 * are left out.
 */
export async function readBalanceAmounts(
  queries: Queries,
  accountIds: readonly string[],
): Promise<Map<string, BalanceAmounts & { version: number }>> {
  const balances = await readBalances(queries, accountIds)
  const defaultBalances = balances.filter(({ address }) => address === defaultAddress)
  return new Map(
    defaultBalances.map((balance) => [
      balance.account.accountId,
      { ...balanceAmountsOf(balance), version: balance.entryCount },
    ]),
  )
}

const asOfSql =
  'select b.account_id as requested, b.overdraft_limit, e.* from ledger.balance b left join lateral ' +
  '(select * from ledger.entry e where e.account_id = b.account_id and e.address = b.address and e.sequence = ' +
  'case when b.last_booked_at <= $3 then b.entry_count else ledger.last_sequence_at(b.account_id, b.address, $3) end' +
  ') e on true where b.account_id = any($1) and b.address = $2'

/**
 * Returns the balances of accounts at an instant, by account ID. The balance at an instant is the
 * balance after the last entry booked up to that instant, so later bookings never change it. Before
 * its first entry an account has a balance of zero. Accounts that do not exist in the ledger are
 * left out.
 */
export async function readBalanceAmountsAt(
  queries: Queries,
  accountIds: readonly string[],
  instant: Date,
): Promise<Map<string, BalanceAmounts>> {
  const values = [accountIds, defaultAddress, instant]
  const rows = await read<EntryRow & { requested: string; overdraft_limit: string }>(
    queries,
    asOfSql,
    values,
  )
  const zeroAmounts = { committedMinor: 0n, pendingInMinor: 0n, pendingOutMinor: 0n }
  return new Map(
    rows.map((row) => [
      row.requested,
      row.account_id !== null
        ? entryFrom(row).after!
        : { ...zeroAmounts, availableMinor: BigInt(row.overdraft_limit) },
    ]),
  )
}

/**
 * Returns the balance of one account at an instant; null if the account does not exist in the
 * ledger.
 */
export async function readAccountBalanceAt(
  queries: Queries,
  accountId: string,
  instant: Date,
): Promise<BalanceAmounts | null> {
  return (await readBalanceAmountsAt(queries, [accountId], instant)).get(accountId) ?? null
}

const paymentsSql =
  'select e.account_id, count(distinct e.posting_instruction_id)::int as count, sum(e.amount)::text as sum from ' +
  '(select id, ledger.last_sequence_at(id, $2, $3) as low, ledger.last_sequence_at(id, $2, $4) as high ' +
  'from unnest($1::text[]) id offset 0) a ' +
  'join ledger.entry e on e.account_id = a.id and e.address = $2 and e.sequence > a.low and e.sequence <= a.high ' +
  'join ledger.posting_instruction p using (posting_instruction_id) ' +
  "where e.phase = 'committed' and e.side = 'debit' and p.type <> 'reversal' and not exists " +
  "(select from ledger.posting_instruction r where r.reverses_id = p.posting_instruction_id and r.status = 'accepted') " +
  'and not exists (select from ledger.entry f where f.posting_instruction_id = p.posting_instruction_id ' +
  "and split_part(f.account_id, '/', 1) in ('fee-income', 'fee-payable', 'fee-receivable', " +
  "'accrued-interest-payable', 'accrued-interest-receivable')) group by e.account_id"

/** The number of payments from an account in a period, and their total in minor units. */
export interface Payments {
  count: number
  sumMinor: bigint
}

/**
 * Returns the payments from customer accounts, booked after `after` and up to and including `upTo`,
 * by account ID. Accounts without payments are left out. Fees, charged interest, reversals and reversed
 * payments do not count.
 */
export async function readPayments(
  queries: Queries,
  accountIds: readonly string[],
  { after, upTo }: { after: Date; upTo: Date },
): Promise<Map<string, Payments>> {
  const values = [accountIds, defaultAddress, after, upTo]
  const rows = await read<{ account_id: string; count: number; sum: string }>(
    queries,
    paymentsSql,
    values,
  )
  return new Map(
    rows.map(({ account_id: id, count, sum }) => [id, { count, sumMinor: BigInt(sum) }]),
  )
}

const valuedSql =
  'select a.account_id, e.phase, sum(case e.side when a.normal_side then e.amount else -e.amount end)::text as amount ' +
  'from ledger.account a join ledger.entry e using (account_id) ' +
  'where a.account_id = any($1) and e.address = $2 and e.value_date <= $3 group by a.account_id, e.phase'

/** A balance by value date, which has no available amount. */
export type ValueDatedBalance = Omit<BalanceAmounts, 'availableMinor'>

/**
 * Returns the balances that bear interest at the end of a day, by account ID: the sum of all entries
 * with a value date up to that day, regardless of when they were booked. Accounts without such entries
 * have a balance of zero. Reads all entries of the accounts.
 */
export async function readValueDatedBalances(
  queries: Queries,
  accountIds: readonly string[],
  day: LocalDate,
): Promise<Map<string, ValueDatedBalance>> {
  const rows = await read<{ account_id: string; phase: string; amount: string }>(
    queries,
    valuedSql,
    [accountIds, defaultAddress, day],
  )
  const amounts = new Map(
    rows.map(({ account_id: id, phase, amount }) => [`${phase} ${id}`, BigInt(amount)]),
  )
  const amountOf = (phase: string, id: string) => amounts.get(`${phase} ${id}`) ?? 0n
  return new Map(
    accountIds.map((id) => [
      id,
      {
        committedMinor: amountOf('committed', id),
        pendingInMinor: amountOf('pending-in', id),
        pendingOutMinor: -amountOf('pending-out', id),
      },
    ]),
  )
}

/** Returns the balance of one account that bears interest at the end of a day. */
export async function readValueDatedBalance(
  queries: Queries,
  accountId: string,
  day: LocalDate,
): Promise<ValueDatedBalance> {
  return (await readValueDatedBalances(queries, [accountId], day)).get(accountId)!
}

const pagesSql = (condition: string, order: string) =>
  'select e.* from unnest($1::text[]) a(id) cross join lateral (select * from ledger.entry e ' +
  `where e.account_id = a.id and e.address = $2 and e.sequence ${condition} order by e.sequence ${order} limit $4) e`
const entriesSql = pagesSql('> $3', 'asc')
const backwardsSql = pagesSql('< $3', 'desc')
const periodSql =
  "select * from ledger.entry e where e.account_id = $1 and e.address = $2 and e.phase = 'committed' " +
  'and e.sequence > ledger.last_sequence_at($1, $2, $3) and e.sequence <= ledger.last_sequence_at($1, $2, $4) ' +
  'order by e.sequence limit $5'

/**
 * Returns up to `take` entries of each account, by account ID: those after a sequence in ascending
 * order, or those before a sequence in descending order. Accounts without such entries are left
 * out.
 */
export async function readEntries(
  queries: Queries,
  accountIds: readonly string[],
  start: { after: number } | { before: number },
  take: number,
): Promise<Map<string, BookedEntry[]>> {
  const isForward = 'after' in start
  const rows = await read<EntryRow>(queries, isForward ? entriesSql : backwardsSql, [
    accountIds,
    defaultAddress,
    isForward ? start.after : start.before,
    take,
  ])
  const byAccount = new Map<string, BookedEntry[]>()
  for (const row of rows) {
    const entries = byAccount.get(row.account_id)
    if (entries) entries.push(bookedFrom(row))
    else byAccount.set(row.account_id, [bookedFrom(row)])
  }
  return byAccount
}

/**
 * Returns up to `max` committed entries of an account, booked after `after` and up to and including
 * `upTo`, in the order of their booking.
 */
export async function readEntriesInPeriod(
  queries: Queries,
  accountId: string,
  period: { after: Date; upTo: Date },
  max: number,
): Promise<BookedEntry[]> {
  const { after, upTo } = period
  const values = [accountId, defaultAddress, after, upTo, max]
  const rows = await read<EntryRow>(queries, periodSql, values)
  return rows.map(bookedFrom)
}

function bookedFrom(row: EntryRow): BookedEntry {
  return {
    ...entryFrom(row),
    postingInstructionId: row.posting_instruction_id,
    bookedAt: row.booked_at,
    valueDate: row.value_date.toISOString().slice(0, 10),
  }
}

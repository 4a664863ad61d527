import type { LocalDate } from '../_kernel/domain/dates.ts'
import { defaultAddress, standingOf, type Standing } from './domain/balance.ts'
import type { Entry } from './domain/instruction.ts'
import { read, readBalances, type Queries } from './read.ts'
import { entryFrom, type EntryRow } from './rows.ts'

/** An entry with when it was booked and what it belongs to. */
export interface BookedEntry extends Entry {
  postingInstructionId: string
  bookedAt: Date
  /** The day from which it counts for interest. */
  valueDate: LocalDate
}

/** What accounts hold now, by account id; what has no account in the ledger is absent. */
export async function readStandings(
  queries: Queries,
  accountIds: readonly string[],
): Promise<Map<string, Standing & { version: number }>> {
  const balances = await readBalances(queries, accountIds)
  const own = balances.filter(({ address }) => address === defaultAddress)
  return new Map(
    own.map((balance) => [
      balance.account.accountId,
      { ...standingOf(balance), version: balance.entryCount },
    ]),
  )
}

const asOfSql =
  'select b.account_id as asked, b.overdraft_limit, e.* from ledger.balance b left join lateral ' +
  '(select * from ledger.entry e where e.account_id = b.account_id and e.address = b.address and e.sequence = ' +
  'case when b.last_booked_at <= $3 then b.entry_count else ledger.last_sequence_at(b.account_id, b.address, $3) end' +
  ') e on true where b.account_id = any($1) and b.address = $2'

/**
 * What accounts held at an instant, by account id: that of the last entry booked by then. What is
 * booked later never changes it. Before its first entry an account held nothing; what has no
 * account in the ledger is absent.
 */
export async function readStandingsAt(
  queries: Queries,
  accountIds: readonly string[],
  at: Date,
): Promise<Map<string, Standing>> {
  const values = [accountIds, defaultAddress, at]
  const rows = await read<EntryRow & { asked: string; overdraft_limit: string }>(
    queries,
    asOfSql,
    values,
  )
  const none = { committedMinor: 0n, pendingInMinor: 0n, pendingOutMinor: 0n }
  return new Map(
    rows.map((row) => [
      row.asked,
      row.account_id !== null
        ? entryFrom(row).after!
        : { ...none, availableMinor: BigInt(row.overdraft_limit) },
    ]),
  )
}

/** The same of one account; null when it has none in the ledger. */
export async function readStandingAt(
  queries: Queries,
  accountId: string,
  at: Date,
): Promise<Standing | null> {
  return (await readStandingsAt(queries, [accountId], at)).get(accountId) ?? null
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
  "and f.account_id in ('fee-income/' || e.currency, 'fee-receivable/' || e.currency)) group by e.account_id"

/** What an account paid in a period: how often, and what it came to in minor units. */
export interface Payments {
  count: number
  sumMinor: bigint
}

/**
 * What customers' accounts paid after one instant and up to another, by account id; an account
 * that paid nothing is absent. Fees are no payments, nor is what was taken back since.
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
  'select a.normal_side, e.phase, sum(case e.side when a.normal_side then e.amount else -e.amount end)::text as amount ' +
  'from ledger.account a join ledger.entry e using (account_id) ' +
  'where a.account_id = $1 and e.address = $2 and e.value_date <= $3 group by a.normal_side, e.phase'

/**
 * What counts for interest at the end of a day: every entry valued by then, whenever it was booked.
 * It reads the account's entries, all of them.
 */
export async function readValuedStanding(
  queries: Queries,
  accountId: string,
  on: LocalDate,
): Promise<Omit<Standing, 'availableMinor'>> {
  const rows = await read<{ phase: string; amount: string }>(queries, valuedSql, [
    accountId,
    defaultAddress,
    on,
  ])
  const of = (phase: string) => BigInt(rows.find((row) => row.phase === phase)?.amount ?? 0)
  const pendingOut = of('pending-out')
  return {
    committedMinor: of('committed'),
    pendingInMinor: of('pending-in'),
    pendingOutMinor: -pendingOut,
  }
}

const entriesSql = `select * from ledger.entry e where e.account_id = $1 and e.address = $2 and e.sequence > $3 order by e.sequence limit $4`
const backwardsSql = `select * from ledger.entry e where e.account_id = $1 and e.address = $2 and e.sequence < $3 order by e.sequence desc limit $4`
const periodSql =
  "select * from ledger.entry e where e.account_id = $1 and e.address = $2 and e.phase = 'committed' " +
  'and e.sequence > ledger.last_sequence_at($1, $2, $3) and e.sequence <= ledger.last_sequence_at($1, $2, $4) ' +
  'order by e.sequence limit $5'

/** The entries of an account after a sequence, in their order; or before one, latest first. */
export async function readEntries(
  queries: Queries,
  accountId: string,
  from: { after: number } | { before: number },
  take: number,
): Promise<BookedEntry[]> {
  const isForward = 'after' in from
  const rows = await read<EntryRow>(queries, isForward ? entriesSql : backwardsSql, [
    accountId,
    defaultAddress,
    isForward ? from.after : from.before,
    take,
  ])
  return rows.map(bookedFrom)
}

/** The booked entries of an account after one instant and up to another. */
export async function readPeriod(
  queries: Queries,
  accountId: string,
  period: { after: Date; upTo: Date },
  most: number,
): Promise<BookedEntry[]> {
  const { after, upTo } = period
  const values = [accountId, defaultAddress, after, upTo, most]
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

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
  remittanceInformation: string | null
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
  'select e.*, b.overdraft_limit from ledger.balance b left join ledger.entry e ' +
  'on e.account_id = b.account_id and e.address = b.address ' +
  'and e.sequence = ledger.last_sequence_at($1, $2, $3) where b.account_id = $1 and b.address = $2'

/**
 * What an account held at an instant: that of the last entry booked by then. What is booked later
 * never changes it. Before its first entry it held nothing.
 */
export async function readStandingAt(
  queries: Queries,
  accountId: string,
  at: Date,
): Promise<Standing | null> {
  const rows = await read<EntryRow & { overdraft_limit: string }>(queries, asOfSql, [
    accountId,
    defaultAddress,
    at,
  ])
  const row = rows[0]
  if (!row) return null
  if (row.account_id !== null) return entryFrom(row).after
  const none = { committedMinor: 0n, pendingInMinor: 0n, pendingOutMinor: 0n }
  return { ...none, availableMinor: BigInt(row.overdraft_limit) }
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

const narrated =
  'select e.*, p.details from ledger.entry e join ledger.posting_instruction p using (posting_instruction_id) '
const entriesSql = `${narrated}where e.account_id = $1 and e.address = $2 and e.sequence > $3 order by e.sequence limit $4`
const backwardsSql = `${narrated}where e.account_id = $1 and e.address = $2 and e.sequence < $3 order by e.sequence desc limit $4`
const periodSql =
  `${narrated}where e.account_id = $1 and e.address = $2 and e.phase = 'committed' ` +
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
  const rows = await read<EntryRow & { details: string }>(
    queries,
    isForward ? entriesSql : backwardsSql,
    [accountId, defaultAddress, isForward ? from.after : from.before, take],
  )
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
  const rows = await read<EntryRow & { details: string }>(queries, periodSql, values)
  return rows.map(bookedFrom)
}

function bookedFrom(row: EntryRow & { details: string }): BookedEntry {
  const { narrative } = JSON.parse(row.details) as {
    narrative?: { remittanceInformation?: string | null }
  }
  return {
    ...entryFrom(row),
    postingInstructionId: row.posting_instruction_id,
    bookedAt: row.booked_at,
    valueDate: row.value_date.toISOString().slice(0, 10),
    remittanceInformation: narrative?.remittanceInformation ?? null,
  }
}

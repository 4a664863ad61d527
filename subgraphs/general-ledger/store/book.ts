import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { declareLogReader } from '../../../kernel/writing/consumer.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { reachOf } from '../domain/batch.ts'
import { accountingDateOf, type Periods } from '../domain/period.ts'

/** How far postings are dated, and which periods accept more of them. */
export interface Book extends Periods {
  /** The position in the event log up to which postings are dated. */
  position: bigint
  /** Changes whenever postings are dated, a period changes or a journal entry is booked. */
  revision: bigint
  /** The number of revaluations of positions in other currencies. */
  revaluations: bigint
}

interface BookRow {
  position: string
  revision: string
  revaluations: string
  closedThrough: string | null
  softClosed: string[]
  [column: string]: unknown
}

const bookSql = `select position::text, revision::text, revaluations::text,
    closed_through::text as "closedThrough",
    array(select accounting_period_id from general_ledger.accounting_period
      where state = 'soft-closed' order by accounting_period_id) as "softClosed"
  from general_ledger.book`

export async function readBook({ bank }: Context): Promise<Book> {
  const [row] = await readRows<BookRow>(bank, bookSql, [])
  return {
    position: BigInt(row!.position),
    revision: BigInt(row!.revision),
    revaluations: BigInt(row!.revaluations),
    closedThrough: row!.closedThrough,
    softClosed: new Set(row!.softClosed),
  }
}

/**
 * Returns the write that changes the book, if it is still as it was decided on. Otherwise the command
 * is decided again.
 */
export function reviseBook({ revision }: Book, closedThrough: LocalDate | null): Write {
  return {
    sql:
      'update general_ledger.book b set revision = b.revision + 1, closed_through = $2::date ' +
      'from claim where b.revision = $1::bigint returning 1',
    values: [revision.toString(), closedThrough],
    rows: 1,
  }
}

/**
 * Returns the write that counts a revaluation, if no other was made meanwhile and no period was closed.
 * Otherwise the command is decided again. Postings may be dated meanwhile.
 */
export function countRevaluation({ revaluations, closedThrough }: Book): Write {
  return {
    sql:
      'update general_ledger.book b set revision = b.revision + 1, ' +
      'revaluations = b.revaluations + 1 from claim where b.revaluations = $1::bigint ' +
      'and b.closed_through is not distinct from $2::date returning 1',
    values: [revaluations.toString(), closedThrough],
    rows: 1,
  }
}

/** A posting in the event log. */
interface PostingRow {
  position: string
  valueDate: string
  bookedOn: string
  entries: number
  [column: string]: unknown
}

declareLogReader('general-ledger', 'coalesce((select position from general_ledger.book), 0)')

/** The SQL condition that the event log has events that were not processed yet. */
export const arePostingsWaitingSql =
  '(select position from kernel.head) > (select position from general_ledger.book)'

const reachSql = `select least(h.position, b.position + $1)::text as reach
  from kernel.head h, general_ledger.book b`
const postingsSql = `select v.position::text as position, p.value_date::text as "valueDate",
    (p.booked_at at time zone 'UTC')::date::text as "bookedOn",
    (select count(*) from ledger.entry e
      where e.posting_instruction_id = p.posting_instruction_id)::int as entries
  from kernel.event v join ledger.posting_instruction p
    on p.posting_instruction_id = substr(v.subject, strpos(v.subject, '/') + 1)
  where v.position > $1 and v.position <= $2
    and v.type like 'payments.posting-instruction.%' and p.status = 'accepted'
  order by v.position`
const dateSql = 'select general_ledger.date_postings($1, $2, $3, $4::json) as "isDated"'

/**
 * Gives the next postings of the event log their accounting dates, from at most `max` events. They
 * are decided on the state that the periods have now, and stored once. Returns the number of events
 * that were processed; 0 if there are none, or if another process was faster.
 */
export async function datePostings(context: Context, max: number): Promise<number> {
  const { bank } = context
  const book = await readBook(context)
  const [row] = await readRows<{ reach: string }>(bank, reachSql, [max])
  const end = BigInt(row!.reach)
  if (end <= book.position) return 0
  const range = [book.position.toString(), end.toString()]
  const postings = await readRows<PostingRow>(bank, postingsSql, range)
  const reach = reachOf(postings, end)
  const [dated] = await readRows<{ isDated: boolean }>(bank, dateSql, [
    book.position.toString(),
    reach.toString(),
    book.revision.toString(),
    JSON.stringify(accountingDatesOf(postings, book)),
  ])
  return dated!.isDated ? Number(reach - book.position) : 0
}

/** Returns the accounting date for each pair of a value date and a booking day. */
function accountingDatesOf(postings: readonly PostingRow[], periods: Periods) {
  const pairs = new Map(
    postings.map(({ valueDate, bookedOn }) => [
      `${valueDate} ${bookedOn}`,
      { valueDate, bookedOn },
    ]),
  )
  return [...pairs.values()].map(({ valueDate, bookedOn }) => ({
    value_date: valueDate,
    booked_on: bookedOn,
    accounting_date: accountingDateOf(valueDate, bookedOn, periods),
  }))
}

const sequenceSql = 'select kernel.sequence_events(1000) as sequenced'
const headSql = `select h.position::text as head from kernel.head h`

/**
 * Gives everything that is committed at the time of the call its place in the event log, and returns
 * the last position.
 */
export async function sequenceCommitted({ bank }: Context): Promise<bigint> {
  for (;;) {
    const [row] = await readRows<{ sequenced: number }>(bank, sequenceSql, [])
    if (row!.sequenced === 0) break
  }
  const [row] = await readRows<{ head: string }>(bank, headSql, [])
  return BigInt(row!.head)
}

const undatedEntriesSql = `select count(*)::int as count from general_ledger.journal_entry j
  where j.state = 'posted' and not exists (select from general_ledger.dated_posting d
    where d.posting_instruction_id = j.posting_instruction_id)`

/** Returns the number of booked journal entries that are not in the totals yet. */
export async function countUndatedEntries({ bank }: Context): Promise<number> {
  const [row] = await readRows<{ count: number }>(bank, undatedEntriesSql, [])
  return row!.count
}

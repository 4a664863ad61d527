import { readRows } from '../../../kernel/database/read-rows.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { CurrencyTotals } from '../domain/journal-file.ts'
import type { DatedEntry } from './entries.ts'

interface ExtentRow {
  position: string
  totals: { currency: string; debit: string; credit: string }[]
  [column: string]: unknown
}

// Positions and totals change in the same transaction, so that one statement sees both alike.
const extentSql = `select b.position::text as position, coalesce((
    select json_agg(t order by t.currency) from (
      select currency, sum(debit_minor)::text as debit, sum(credit_minor)::text as credit
      from general_ledger.daily_total where accounting_date between $1 and $2 group by currency
    ) t), '[]') as totals
  from general_ledger.book b`

/** Reads how far postings are dated, and the totals of a range of days up to this position. */
export async function readJournalExtent(
  bank: Bank,
  from: LocalDate,
  to: LocalDate,
): Promise<{ throughPosition: bigint; totals: CurrencyTotals[] }> {
  const [row] = await readRows<ExtentRow>(bank, extentSql, [from, to])
  return {
    throughPosition: BigInt(row!.position),
    totals: row!.totals.map(({ currency, debit, credit }) => ({
      currency,
      debitMinor: BigInt(debit),
      creditMinor: BigInt(credit),
    })),
  }
}

/** Up to which posting of a range of days entries are read. */
export interface JournalRange {
  to: LocalDate
  throughPosition: bigint
  /** The last posting of the page before. */
  after: { accountingDate: LocalDate; position: bigint }
}

type EntryRow = Omit<DatedEntry, 'position' | 'amountMinor'> & {
  position: string
  amount: string
  [column: string]: unknown
}

// A page costs the same wherever it is in the journal: the index finds its first posting, the lateral
// query keeps the entries from being joined as a whole, and each account is looked up once.
const pageSql = `with page as materialized (
    select posting_instruction_id, accounting_date, position from general_ledger.dated_posting
    where (accounting_date, position) > ($1::date, $2::bigint)
      and accounting_date <= $3 and position <= $4
    order by accounting_date, position limit $5
  ), entries as materialized (
    select p.accounting_date, p.position, e.*
    from page p cross join lateral (select * from ledger.entry
      where posting_instruction_id = p.posting_instruction_id and phase = 'committed' offset 0) e
  ), accounts as materialized (
    select a.account_id, a.code, general_ledger.product_of(a.account_id, a.code) as product_id
    from (select distinct account_id from entries) used join ledger.account a using (account_id)
  )
  select e.accounting_date::text as "accountingDate", e.value_date::text as "valueDate",
    e.booked_at as "bookedAt", e.position::text as position, e.ordinal,
    e.posting_instruction_id as "postingInstructionId", a.account_id as "ledgerAccountId",
    a.code as "ledgerCode", a.product_id as "productId", e.side, e.amount::text as amount, e.currency
  from entries e join accounts a using (account_id)
  order by e.accounting_date, e.position, e.ordinal`

/** Reads the entries of the next postings, in the order of their accounting dates. */
export async function readJournalPage(
  bank: Bank,
  { to, throughPosition, after }: JournalRange,
  takePostings: number,
): Promise<DatedEntry[]> {
  const rows = await readRows<EntryRow>(bank, pageSql, [
    after.accountingDate,
    after.position.toString(),
    to,
    throughPosition.toString(),
    takePostings,
  ])
  return rows.map(({ position, amount, ...row }) => ({
    ...row,
    position: BigInt(position),
    amountMinor: BigInt(amount),
  }))
}

import { readRows } from '../../../kernel/database/read-rows.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { Attribution } from '../../../ledger/domain/balance.ts'
import type { CurrencyTotals } from '../domain/journal-file.ts'
import { isProductKey } from '../domain/mapping.ts'
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

/** A dated entry, and what it belongs to. */
type JournalEntryRow = DatedEntry & { attribution: Attribution }

type EntryRow = Omit<DatedEntry, 'position' | 'amountMinor' | 'productId'> & {
  position: string
  amount: string
  productId: string
  segment: string
  [column: string]: unknown
}

// A page costs the same wherever it is in the journal: the index finds its first posting, and its entries
// are read by their postings.
const pageSql = `with page as materialized (
    select posting_instruction_id from general_ledger.dated_posting
    where (accounting_date, position) > ($1::date, $2::bigint)
      and accounting_date <= $3 and position <= $4
    order by accounting_date, position limit $5
  )
  select e.accounting_date::text as "accountingDate", e.value_date::text as "valueDate",
    e.booked_at as "bookedAt", e.event_position::text as position, e.ordinal,
    e.posting_instruction_id as "postingInstructionId", e.account_id as "ledgerAccountId",
    e.ledger_code as "ledgerCode", e.product_id as "productId", e.segment, e.side,
    e.amount::text as amount, e.currency
  from general_ledger.attributed_entries(array(select posting_instruction_id from page)) e
  order by e.accounting_date, e.event_position, e.ordinal`

/** Reads the entries of the next postings, in the order of their accounting dates. */
export async function readJournalPage(
  bank: Bank,
  { to, throughPosition, after }: JournalRange,
  takePostings: number,
): Promise<JournalEntryRow[]> {
  const rows = await readRows<EntryRow>(bank, pageSql, [
    after.accountingDate,
    after.position.toString(),
    to,
    throughPosition.toString(),
    takePostings,
  ])
  return rows.map(({ position, amount, productId, segment, ...row }) => ({
    ...row,
    productId: isProductKey(row.ledgerCode) ? productId : '',
    position: BigInt(position),
    amountMinor: BigInt(amount),
    attribution: { productId, segment },
  }))
}

import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { EntrySide } from '../model/journal-entry.ts'

/** An entry of a dated posting. */
export interface DatedEntry {
  accountingDate: LocalDate
  valueDate: LocalDate
  bookedAt: Date
  /** The position of the posting in the event log. */
  position: bigint
  ordinal: number
  postingInstructionId: string
  ledgerAccountId: string
  ledgerCode: string
  productId: string
  side: EntrySide
  amountMinor: bigint
  currency: string
}

type EntryRow = Omit<DatedEntry, 'position' | 'amountMinor'> & {
  position: string
  amount: string
  [column: string]: unknown
}

/** Which entries to read. */
export interface EntryFilter {
  from: LocalDate
  to: LocalDate
  /** The ledger accounts, as pairs of code and product; null for all. */
  keys: readonly { ledgerCode: string; productId: string }[] | null
  currency: string | null
  /** Only these days; null for all. */
  days: readonly LocalDate[] | null
}

const entriesSql = `select d.accounting_date::text as "accountingDate",
    e.value_date::text as "valueDate", e.booked_at as "bookedAt", d.position::text as position,
    e.ordinal, e.posting_instruction_id as "postingInstructionId",
    e.account_id as "ledgerAccountId", a.code as "ledgerCode", k.product_id as "productId",
    e.side, e.amount::text as amount, e.currency
  from general_ledger.dated_posting d
  join ledger.entry e using (posting_instruction_id)
  join ledger.account a using (account_id)
  cross join lateral (select general_ledger.product_of(a.account_id, a.code)) k (product_id)
  where d.accounting_date between $1 and $2 and e.phase = 'committed'
    and ($3::text is null or e.currency = $3)
    and ($4::text[] is null or a.code = any($4))
    and ($4::text[] is null or (a.code || ' ' || k.product_id) = any($5::text[]))
    and ($10::date[] is null or d.accounting_date = any($10))
    and ($6::date is null or (d.accounting_date, d.position, e.ordinal) > ($6, $7::bigint, $8::int))
  order by d.accounting_date, d.position, e.ordinal limit $9`

/** Returns the sort key of an entry: accounting date, position and ordinal. */
export function entrySortKey({ accountingDate, position, ordinal }: DatedEntry): string[] {
  return [accountingDate, position.toString(), String(ordinal)]
}

/** Reads entries in the order of their accounting dates, and of the journal within a day. */
export async function readDatedEntries(
  { bank }: Context,
  { from, to, keys, currency, days }: EntryFilter,
  after: readonly string[] | null,
  take: number,
): Promise<DatedEntry[]> {
  const rows = await readRows<EntryRow>(bank, entriesSql, [
    from,
    to,
    currency,
    keys && [...new Set(keys.map(({ ledgerCode }) => ledgerCode))],
    keys && keys.map(({ ledgerCode, productId }) => `${ledgerCode} ${productId}`),
    after?.[0] ?? null,
    after?.[1] ?? null,
    after?.[2] ?? null,
    take,
    days,
  ])
  return rows.map(({ position, amount, ...row }) => ({
    ...row,
    position: BigInt(position),
    amountMinor: BigInt(amount),
  }))
}

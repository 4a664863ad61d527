import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { Attribution } from '../../../ledger/domain/balance.ts'
import type { GeneralLedgerDimension } from '../model/dimension.ts'

interface EntryRow extends Attribution {
  postingInstructionId: string
  ordinal: number
  [column: string]: unknown
}

const attributionsSql = `select posting_instruction_id as "postingInstructionId", ordinal,
    product_id as "productId", segment
  from general_ledger.attributed_entries($1)`

type EntryKey = Pick<EntryRow, 'postingInstructionId' | 'ordinal'>

/** Reads the product and the segment to which each of some entries belongs, in their order. */
export async function readEntryAttributions(
  { bank }: Context,
  entries: readonly EntryKey[],
): Promise<Attribution[]> {
  if (entries.length === 0) return []
  const ids = [...new Set(entries.map(({ postingInstructionId }) => postingInstructionId))]
  const rows = await readRows<EntryRow>(bank, attributionsSql, [ids])
  const keyOf = (entry: EntryKey) => `${entry.postingInstructionId} ${entry.ordinal}`
  const byKey = new Map(
    rows.map(({ productId, segment, ...row }) => [keyOf(row), { productId, segment }]),
  )
  return entries.map((entry) => byKey.get(keyOf(entry))!)
}

/** Which totals to search for days; those of all codes and currencies if these are null. */
export interface DayRange {
  from: LocalDate
  to: LocalDate
  ledgerCodes: readonly string[] | null
  currency: string | null
}

const inRange = `accounting_date between $1 and $2 and ($3::text[] is null or ledger_code = any($3))
  and ($4::text is null or currency = $4)`
const bookedDaysSql = `select distinct accounting_date::text as day
  from general_ledger.daily_total where ${inRange} order by 1`
const attributedDaysSql = `select distinct accounting_date::text as day
  from general_ledger.dimension_total where ${inRange}
    and ($5::text is null or product_id = $5) and ($6::text is null or segment = $6) order by 1`
const unassignedDaysSql = (by: GeneralLedgerDimension) => `select distinct day from (
    select accounting_date::text as day from general_ledger.total_by_${by}
    where ${inRange} and value = '' group by accounting_date, ledger_code, currency
    having sum(debit_minor) <> 0 or sum(credit_minor) <> 0) d order by 1`

async function readDays({ bank }: Context, sql: string, range: DayRange, values: unknown[]) {
  const { from, to, ledgerCodes, currency } = range
  const parameters = [from, to, ledgerCodes, currency, ...values]
  const rows = await readRows<{ day: LocalDate }>(bank, sql, parameters)
  return rows.map(({ day }) => day)
}

/** Reads the days of a range on which entries were booked. */
export function readBookedDays(context: Context, range: DayRange): Promise<LocalDate[]> {
  return readDays(context, bookedDaysSql, range, [])
}

/** Reads the days of a range on which entries were booked that belong to a product and a segment. */
export function readAttributedDays(
  context: Context,
  range: DayRange,
  productId: string | null,
  segment: string | null,
): Promise<LocalDate[]> {
  return readDays(context, attributedDaysSql, range, [productId, segment])
}

/** Reads the days of a range on which entries were booked that belong to no product, or to no segment. */
export function readUnassignedDays(
  context: Context,
  range: DayRange,
  by: GeneralLedgerDimension,
): Promise<LocalDate[]> {
  return readDays(context, unassignedDaysSql(by), range, [])
}

/** Whether postings from before the upgrade are missing in the totals by product and segment. */
export const isHistoryWaitingSql =
  '(select not is_complete from general_ledger.dimension_reach) is true'

const historySql = 'select general_ledger.attribute_history($1) as added'

/** Adds the next postings from before the upgrade to the totals. Returns their number. */
export async function attributeHistory({ bank }: Context, max: number): Promise<number> {
  return (await readRows<{ added: number }>(bank, historySql, [max]))[0]!.added
}

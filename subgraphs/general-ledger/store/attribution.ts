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

const daysSql = (column: string) => `select distinct accounting_date::text as day
  from general_ledger.dimension_total
  where accounting_date between $1 and $2 and ${column} = $3 order by 1`

/** Reads the days of a range on which entries were booked that belong to a product or a segment. */
export async function readDaysOf(
  { bank }: Context,
  { from, to }: { from: LocalDate; to: LocalDate },
  dimension: GeneralLedgerDimension,
  value: string,
): Promise<LocalDate[]> {
  const sql = daysSql(dimension === 'product' ? 'product_id' : 'segment')
  const rows = await readRows<{ day: LocalDate }>(bank, sql, [from, to, value])
  return rows.map(({ day }) => day)
}

/** Whether postings of before the upgrade are missing in the totals by product and segment. */
export const isHistoryWaitingSql =
  '(select not is_complete from general_ledger.dimension_reach) is true'

const historySql = 'select general_ledger.attribute_history($1) as added'

/** Adds the next postings of before the upgrade to the totals. Returns their number. */
export async function attributeHistory({ bank }: Context, max: number): Promise<number> {
  return (await readRows<{ added: number }>(bank, historySql, [max]))[0]!.added
}

import type { Prisma } from '../../../prisma/client/client.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { positionCode } from '../domain/default-chart.ts'
import { ownCode, type Mapping } from '../domain/mapping.ts'
import type { PositionMovements } from '../domain/position-cost.ts'
import type { CurrencyRevaluation, StoredRevaluationLine } from '../model/revaluation.ts'

type LineRow = {
  [Name in keyof StoredRevaluationLine]: StoredRevaluationLine[Name] extends bigint
    ? string
    : StoredRevaluationLine[Name]
}

export const currencyRevaluations = tableOf<
  CurrencyRevaluation,
  Prisma.CurrencyRevaluationGetPayload<object>
>(
  'general_ledger.currency_revaluation',
  'currencyRevaluationId',
  ({ db }) => db.currencyRevaluation,
  (row) => ({
    ...row,
    lines: (row.lines as unknown as LineRow[]).map((line) => ({
      ...line,
      positionMinor: BigInt(line.positionMinor),
      costMinor: BigInt(line.costMinor),
      valueMinor: BigInt(line.valueMinor),
      bookedBeforeMinor: BigInt(line.bookedBeforeMinor),
      differenceMinor: BigInt(line.differenceMinor),
    })),
  }),
)

/** Reads all revaluations in the order in which they were made. */
export function readRevaluations(context: Context): Promise<CurrencyRevaluation[]> {
  return currencyRevaluations.findMany(context, { orderBy: { sequence: 'asc' } })
}

interface MovementRow {
  kind: string
  day: LocalDate | null
  currency: string
  minor: string
  [column: string]: unknown
}

// An exchange between one currency and the functional currency has its cost whatever its day is, so
// that all of its kind are one group.
const movementsSql = `with moved as (
    select e.posting_instruction_id, d.accounting_date, e.currency,
      sum(case e.side when 'credit' then e.amount else -e.amount end) as minor
    from ledger.account a join ledger.entry e using (account_id)
    join general_ledger.dated_posting d using (posting_instruction_id)
    where a.code = any($1) and e.phase = 'committed' and d.accounting_date <= $2
    group by 1, 2, 3
    having sum(case e.side when 'credit' then e.amount else -e.amount end) <> 0
  ), kinds as (
    select posting_instruction_id,
      string_agg(case when minor > 0 then '+' else '-' end || currency, ' ' order by currency)
        as kind,
      case when count(*) = 2 and bool_or(currency = $3)
        and bool_or(minor > 0) and bool_or(minor < 0) then null else accounting_date end as day
    from moved group by posting_instruction_id, accounting_date
  )
  select k.kind, k.day::text as day, m.currency, sum(m.minor)::text as minor
  from moved m join kinds k using (posting_instruction_id)
  group by 1, 2, 3 order by 1, 2, 3`

/**
 * Reads what dated postings moved the position accounts by, up to the end of a day: for each kind of
 * posting one group. An own ledger account of an account to which positions belong is a position
 * account as well. Reads all entries of the position accounts.
 */
export async function readPositionMovements(
  { bank }: Context,
  day: LocalDate,
  mapping: Mapping,
  functionalCurrency: string,
): Promise<PositionMovements[]> {
  const codes = [positionCode, ...mapping.accountsOf(positionCode).map(ownCode)]
  const rows = await readRows<MovementRow>(bank, movementsSql, [codes, day, functionalCurrency])
  const groups = new Map<string, { day: LocalDate | null; movements: Map<string, bigint> }>()
  for (const { kind, day: of, currency, minor } of rows) {
    const id = `${of} ${kind}`
    const group = groups.get(id) ?? { day: of, movements: new Map<string, bigint>() }
    group.movements.set(currency, BigInt(minor))
    groups.set(id, group)
  }
  return [...groups.values()]
}

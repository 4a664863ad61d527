import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { columnsOf, tableOf } from '../../../kernel/writing/table.ts'
import { toJson, type Write } from '../../../kernel/writing/writes.ts'
import { Prisma } from '../../../prisma/client/client.ts'
import { referenceRateEvents, type ReferenceRateEvent } from '../events.ts'
import type { ReferenceRate, ReferenceRateFixing } from '../model/reference-rate.ts'

export const referenceRateTable = tableOf<ReferenceRate>(
  'products.reference_rate',
  'referenceRateId',
  ({ db }) => db.referenceRate,
)

export const referenceRateKind: RecordKind<ReferenceRate, ReferenceRateEvent> = {
  ...referenceRateTable,
  ...referenceRateEvents,
  id: 'referenceRate',
  notFound: 'REFERENCE_RATE_NOT_FOUND',
  created: 'products.reference-rate.created',
  ownersOf: () => [],
  isPublished: false,
}

/** Loads reference rates by ID. Everyone may see them. */
export const loadReferenceRate = referenceRateTable.load

/** Lists reference rates in the order in which they were created. */
export function listReferenceRates(
  context: Context,
  after: string[] | null,
  take: number,
): Promise<ReferenceRate[]> {
  return referenceRateTable.list(context, {}, after, take)
}

type FixingRow = Prisma.ReferenceRateFixingGetPayload<object>

const fixingFromRow = (row: FixingRow): ReferenceRateFixing => ({
  ...row,
  fixedOn: dateOf(row.fixedOn),
})

/** Reads the fixings of a reference rate for days. */
export async function findFixings(
  { db }: Context,
  referenceRateId: string,
  days: readonly LocalDate[],
): Promise<ReferenceRateFixing[]> {
  const where = { referenceRateId, fixedOn: { in: days.map((day) => new Date(day)) } }
  return (await db.referenceRateFixing.findMany({ where })).map(fixingFromRow)
}

const putSql =
  'insert into products.reference_rate_fixing as f select r.* from claim, ' +
  'json_populate_recordset(null::products.reference_rate_fixing, $1::json) r ' +
  'on conflict (reference_rate_id, fixed_on) do update set rate_pct = excluded.rate_pct, ' +
  'correction_reason = excluded.correction_reason, recorded_by = excluded.recorded_by, ' +
  'recorded_at = excluded.recorded_at returning 1'

/**
 * Returns the write that stores new and corrected fixings. The commit must also update the reference
 * rate at the version that was read, so that no other commit changes its fixings meanwhile.
 */
export function putFixings(fixings: readonly ReferenceRateFixing[]): Write {
  return { sql: putSql, values: [toJson(fixings.map(columnsOf))], rows: fixings.length }
}

const fixingColumns = columnsAs<FixingRow>(
  ...Object.values(Prisma.ReferenceRateFixingScalarFieldEnum),
)

const fixingsSql = `
  select ${fixingColumns}
  from unnest($1::text[]) r(id) cross join lateral (
    select * from products.reference_rate_fixing
    where reference_rate_id = r.id and ($2::date is null or fixed_on <= $2)
      and ($3::date is null or fixed_on < $3)
    order by fixed_on desc limit $4
  ) fixing`

/**
 * Lists the fixings of reference rates, newest first: those up to the day `until` and before the day
 * `before`, unless these are null.
 */
export const listFixings = listLoader(
  async (
    { bank },
    referenceRateIds,
    { until, before, take }: { until: LocalDate | null; before: LocalDate | null; take: number },
  ) => {
    const values = [referenceRateIds, until, before, take]
    const fixings = (await readRows<FixingRow>(bank, fixingsSql, values)).map(fixingFromRow)
    return listsByKey(referenceRateIds, fixings, ({ referenceRateId }) => referenceRateId)
  },
)

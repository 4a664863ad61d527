import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { listLoader, listsByKey } from '../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { columnsOf, tableOf } from '../../../kernel/writing/table.ts'
import { insert, update, type Write } from '../../../kernel/writing/writes.ts'
import { Prisma } from '../../../prisma/client/client.ts'
import type { FixingChange } from '../domain/reference-rate.ts'
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

/** Returns the writes that store fixings. A correction requires the version that was read. */
export function putFixings(changes: readonly FixingChange[]): Write[] {
  const table = 'products.reference_rate_fixing'
  const created = changes.filter(({ before }) => before === null)
  const corrected = changes.filter(({ before }) => before !== null)
  return [
    ...(created.length > 0 ? [insert(table, ...created.map(({ after }) => columnsOf(after)))] : []),
    ...corrected.map(({ after }) => {
      const { referenceRateId, fixedOn, version, ...changed } = after
      const key = { reference_rate_id: referenceRateId, fixed_on: fixedOn }
      return update(table, key, version - 1, columnsOf(changed))
    }),
  ]
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

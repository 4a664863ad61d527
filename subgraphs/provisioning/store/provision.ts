import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { columnsOf, tableOf } from '../../../kernel/writing/table.ts'
import { insert, updateMany, type Write } from '../../../kernel/writing/writes.ts'
import type { Provision, ProvisionItem } from '../model/provision.ts'
import type { ProvisioningRun } from '../model/provisioning-run.ts'

const tableName = 'provisioning.provision'

export const provisions = tableOf<Provision, Prisma.ProvisionGetPayload<object>>(
  tableName,
  'provisionId',
  ({ db }) => db.provision,
  (row) => ({
    ...row,
    segment: row.segment as Provision['segment'],
    stage: row.stage as Provision['stage'],
    reasons: row.reasons as Provision['reasons'],
    stageSince: dateOf(row.stageSince),
    improvingSince: row.improvingSince && dateOf(row.improvingSince),
    monthEnd: dateOf(row.monthEnd),
  }),
)

/** Loads the provisions of facilities. For delegated users, the result is null. */
export const loadProvision = loader<string, Provision>(async (context, facilityIds) =>
  context.caller.partyId === null
    ? provisions.loadMany(context, facilityIds)
    : facilityIds.map(() => null),
)

/** Finds the management overlays that are held as amounts. */
export const findOverlays = (context: Context): Promise<Provision[]> =>
  provisions.findMany(context, { where: { facilityId: null } })

/**
 * Returns the writes that store provisions: those of version 1 are inserted, and the others updated
 * if they still have the previous version.
 */
export function putProvisions(changed: readonly Provision[]): Write[] {
  const created = changed.filter(({ version }) => version === 1)
  const updated = changed
    .filter(({ version }) => version > 1)
    .map((each) => columnsOf({ ...each, version: each.version - 1 }))
  return [
    ...(created.length > 0 ? [insert(tableName, ...created.map(columnsOf))] : []),
    ...(updated.length > 0 ? [updateMany(tableName, 'provision_id', updated)] : []),
  ]
}

/** Returns the writes that insert items of the history. */
export function insertItems(items: readonly ProvisionItem[]): Write[] {
  return items.length === 0 ? [] : [insert('provisioning.provision_item', ...items.map(columnsOf))]
}

type ItemRow = Prisma.ProvisionItemGetPayload<object>

const itemFromRow = (row: ItemRow): ProvisionItem => ({
  ...row,
  monthEnd: dateOf(row.monthEnd),
  segment: row.segment as ProvisionItem['segment'],
  stage: row.stage as ProvisionItem['stage'],
  reasons: row.reasons as ProvisionItem['reasons'],
})

/** Returns the sort key of an item: its time and its ID. */
export const itemSortKey = ({ createdAt, itemId }: ProvisionItem): string[] => [
  createdAt.toISOString(),
  itemId,
]

/** Lists the history of a provision, newest first, without dry runs. */
export async function listHistory(
  { db }: Context,
  provisionId: string,
  after: string[] | null,
  take: number,
): Promise<ProvisionItem[]> {
  const [time, itemId] = after ?? []
  const earlier = time !== undefined && {
    OR: [
      { createdAt: { lt: new Date(time) } },
      { createdAt: new Date(time), itemId: { lt: itemId! } },
    ],
  }
  const rows = await db.provisionItem.findMany({
    where: { provisionId, isDryRun: false, ...earlier },
    orderBy: [{ createdAt: 'desc' }, { itemId: 'desc' }],
    take,
  })
  return rows.map(itemFromRow)
}

/** Lists the results of a run in the order of the IDs of the provisions. */
export async function listItems(
  { db }: Context,
  provisioningRunId: string,
  stage: ProvisionItem['stage'],
  after: string[] | null,
  take: number,
): Promise<ProvisionItem[]> {
  const rows = await db.provisionItem.findMany({
    where: {
      provisioningRunId,
      ...(stage !== null && { stage }),
      ...(after && { provisionId: { gt: after[0]! } }),
    },
    orderBy: { provisionId: 'asc' },
    take,
  })
  return rows.map(itemFromRow)
}

const doneSql =
  'select provision_id as id from provisioning.provision_item where provision_id = any($1) ' +
  'and (provisioning_run_id = $2 or (month_end = $3 and not $4 and not is_dry_run and provisioning_run_id is not null))'

/** Returns those of the provisions that the run, or another run of the month, has processed. */
export async function findProcessed(
  { bank }: Context,
  { provisioningRunId, monthEnd, isDryRun }: ProvisioningRun,
  provisionIds: readonly string[],
): Promise<Set<string>> {
  const values = [provisionIds, provisioningRunId, monthEnd, isDryRun]
  const rows = await readRows<{ id: string }>(bank, doneSql, values)
  return new Set(rows.map(({ id }) => id))
}

const endedSql =
  "select p.provision_id as id from provisioning.provision p join kernel.fact f on f.subject = 'facility/' || p.facility_id " +
  "where p.allowance_minor <> 0 and f.data ->> 'state' not in ('approved', 'active', 'in-arrears') " +
  'order by p.provision_id limit $1'

// An account is repaid and has no limit, or it is closed.
const endedOverdraftsSql =
  'select p.provision_id as id from provisioning.provision p cross join lateral ' +
  "(select substr(p.provision_id, strpos(p.provision_id, '/') + 1) as id) account " +
  "where p.segment = 'overdraft' and p.facility_id is not null and p.allowance_minor <> 0 and (" +
  "exists (select from kernel.fact f where f.subject = 'overdraft-exposure/' || account.id and f.data ->> 'state' = 'none') " +
  "or exists (select from kernel.fact f where f.subject = 'arrangement/' || account.id and f.data ->> 'state' = 'closed')) " +
  'order by p.provision_id limit $1'

/** Finds the facilities and overdrafts that have an allowance and no longer an exposure. */
export async function findEnded({ bank }: Context, take: number): Promise<string[]> {
  const found = [endedSql, endedOverdraftsSql].map((sql) =>
    readRows<{ id: string }>(bank, sql, [take]),
  )
  const rows = (await Promise.all(found)).flat()
  return rows.map(({ id }) => id)
}

import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { provisioningTableEvents, type ProvisioningTableEvent } from '../events.ts'
import type { ProvisioningTable, SegmentRisk } from '../model/provisioning-table.ts'

export const provisioningTables = tableOf<
  ProvisioningTable,
  Prisma.ProvisioningTableGetPayload<object>
>(
  'provisioning.provisioning_table',
  'provisioningTableId',
  ({ db }) => db.provisioningTable,
  (row) => ({
    ...row,
    effectiveFrom: dateOf(row.effectiveFrom),
    status: row.status as ProvisioningTable['status'],
    segments: row.segments as unknown as SegmentRisk[],
  }),
)

export const provisioningTableKind: RecordKind<ProvisioningTable, ProvisioningTableEvent> = {
  ...provisioningTables,
  ...provisioningTableEvents,
  id: 'provisioningTable',
  notFound: 'PROVISIONING_TABLE_NOT_FOUND',
  created: 'provisioning.table.proposed',
  ownersOf: () => [],
  isPublished: false,
}

/**
 * Finds the table in effect on a day: the approved table with the latest effective date up to this
 * day and, among several, the one that was approved last; null if there is none.
 */
export async function findTableInEffect(
  context: Context,
  on: LocalDate,
): Promise<ProvisioningTable | null> {
  const [found] = await provisioningTables.findMany(context, {
    where: { status: 'approved', effectiveFrom: { lte: new Date(on) } },
    orderBy: [{ effectiveFrom: 'desc' }, { decidedAt: 'desc' }],
    take: 1,
  })
  return found ?? null
}

/** Loads tables by ID. For delegated users, the result is null. */
export const loadTable = loader<string, ProvisioningTable>(async (context, ids) =>
  context.caller.partyId === null ? provisioningTables.loadMany(context, ids) : ids.map(() => null),
)

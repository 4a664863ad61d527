import type { Prisma } from '../../../prisma/client/client.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { ProvisioningRun } from '../model/provisioning-run.ts'

export const provisioningRuns = tableOf<ProvisioningRun, Prisma.ProvisioningRunGetPayload<object>>(
  'provisioning.provisioning_run',
  'provisioningRunId',
  ({ db }) => db.provisioningRun,
  ({ leasedUntil: _, leaseId: _leaseId, ...row }) => ({
    ...row,
    monthEnd: dateOf(row.monthEnd),
    status: row.status as ProvisioningRun['status'],
  }),
)

/** Whether the run of a month was already scheduled. */
export async function isScheduled(context: Context, monthEnd: LocalDate): Promise<boolean> {
  const where = { monthEnd: new Date(monthEnd), triggeredBy: 'schedule' }
  return (await provisioningRuns.findMany(context, { where, take: 1 })).length > 0
}

/** Finds the last run that was requested; null if there is none. */
export async function findLatestRun(context: Context): Promise<ProvisioningRun | null> {
  const orderBy = { createdAt: 'desc' }
  const [found] = await provisioningRuns.findMany(context, { orderBy, take: 1 })
  return found ?? null
}

const isLeasableSql =
  "status in ('scheduled', 'running') and (leased_until is null or leased_until <= now())"

/** Whether there is a run that a worker can lease. */
export const areRunsDueSql = `exists (select from provisioning.provisioning_run where ${isLeasableSql})`

const leaseSql =
  "update provisioning.provisioning_run r set lease_id = $1, leased_until = now() + $2 * interval '1 ms' " +
  'from (select provisioning_run_id from provisioning.provisioning_run ' +
  `where ${isLeasableSql} order by created_at, provisioning_run_id limit 1 for update skip locked) free ` +
  'where r.provisioning_run_id = free.provisioning_run_id returning r.provisioning_run_id as id'

/**
 * Leases the oldest unfinished run that no worker has; null if there is none. Leases expire by the
 * clock of the database, because the bank clock can be moved in the sandbox.
 */
export async function leaseRun(
  context: Context,
  leaseId: string,
  leaseMs: number,
): Promise<ProvisioningRun | null> {
  const [leased] = await readRows<{ id: string }>(context.bank, leaseSql, [leaseId, leaseMs])
  return leased ? provisioningRuns.find(context, leased.id) : null
}

const releaseSql =
  'update provisioning.provisioning_run set leased_until = null, lease_id = null where lease_id = $1'

/** Releases a lease. Has no effect if it expired and another worker leased the run. */
export async function releaseRun({ bank }: Context, leaseId: string): Promise<void> {
  await readRows(bank, releaseSql, [leaseId])
}

/** Loads runs by ID. For delegated users, the result is null. */
export const loadRun = loader<string, ProvisioningRun>(async (context, ids) =>
  context.caller.partyId === null ? provisioningRuns.loadMany(context, ids) : ids.map(() => null),
)

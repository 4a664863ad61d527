import type { FeeRun, FeeRunError } from '../model/fee-run.ts'
import type { FeeRunStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { inOrder, loader, type Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { RunFrequency } from '../domain/fee-period.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import { afterTimeAndId } from '../../../kernel/graph/connection.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'
import { insert, update, type Row, type Write } from '../../../kernel/writing/writes.ts'

const tableName = 'operations.fee_run'

type FeeRunRow = Prisma.FeeRunGetPayload<object>

function fromRow({ leasedUntil: _, leaseId: _leaseId, ...row }: FeeRunRow): FeeRun {
  const totals = row.totals as unknown as { amountMinor: string; currency: string }[]
  return {
    ...row,
    runType: row.runType as FeeRun['runType'],
    frequency: row.frequency as RunFrequency,
    status: row.status as FeeRun['status'],
    periodStart: dateOf(row.periodStart),
    periodEnd: dateOf(row.periodEnd),
    runDate: dateOf(row.runDate),
    totals: totals.map(({ amountMinor, currency }): Money => ({
      amountMinor: BigInt(amountMinor),
      currency,
    })),
    errors: row.errors as unknown as FeeRunError[],
  }
}

function mutableColumns(run: FeeRun): Row {
  return {
    status: run.status,
    selected: run.selected,
    charged: run.charged,
    waived: run.waived,
    skipped: run.skipped,
    failed: run.failed,
    totals: run.totals.map(({ amountMinor, currency }) => ({
      amountMinor: amountMinor.toString(),
      currency,
    })),
    errors: run.errors,
    checkpoint: run.checkpoint,
    failure_code: run.failureCode,
    reversed_by_run_id: run.reversedByRunId,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    updated_at: run.updatedAt,
  }
}

function toRow(run: FeeRun): Row {
  return {
    fee_run_id: run.feeRunId,
    run_type: run.runType,
    fee_code: run.feeCode,
    product_id: run.productId,
    frequency: run.frequency,
    period_start: run.periodStart,
    period_end: run.periodEnd,
    run_date: run.runDate,
    as_of: run.asOf,
    is_dry_run: run.isDryRun,
    triggered_by: run.triggeredBy,
    reverses_run_id: run.reversesRunId,
    version: run.version,
    created_at: run.createdAt,
    leased_until: null,
    lease_id: null,
    ...mutableColumns(run),
  }
}

/** Inserts runs. A second automatic run for the same fee and period raises SQLSTATE 23505. */
export function insertRuns(...runs: FeeRun[]): Write {
  return insert(tableName, ...runs.map(toRow))
}

/**
 * Updates a run if it still has the previous version. The lease is released, unless `holdsLease` is
 * true because the same worker continues immediately.
 */
export function updateRun(run: FeeRun, holdsLease = false): Write {
  const releasedLease = holdsLease ? {} : { leased_until: null, lease_id: null }
  const changes = { ...mutableColumns(run), ...releasedLease }
  return update(tableName, { fee_run_id: run.feeRunId }, run.version - 1, changes)
}

/** Finds a run by ID; null if it does not exist. */
export async function findRun(context: Context, feeRunId: string): Promise<FeeRun | null> {
  const row = await context.db.feeRun.findUnique({ where: { feeRunId } })
  return row && fromRow(row)
}

/** Loads runs by ID. For delegated users, the result is null, because only the bank sees runs. */
export const loadRun = loader<string, FeeRun>(async (context, ids) => {
  if (context.caller.partyId !== null) return ids.map(() => null)
  const rows = await context.db.feeRun.findMany({ where: { feeRunId: { in: [...ids] } } })
  return inOrder(ids, rows.map(fromRow), ({ feeRunId }) => feeRunId)
})

export interface FeeRunFilter {
  status: FeeRunStatus | null
  productId: string | null
  feeCode: string | null
  /** The earliest business date of the runs, inclusive; null if there is no limit. */
  from: LocalDate | null
  /** The latest business date of the runs, inclusive; null if there is no limit. */
  to: LocalDate | null
}

/** Lists runs in the order in which they were requested. The list is empty for delegated users. */
export async function listRuns(
  context: Context,
  { from, to, ...filter }: FeeRunFilter,
  after: string[] | null,
  take: number,
): Promise<FeeRun[]> {
  if (context.caller.partyId !== null) return []
  const rows = await context.db.feeRun.findMany({
    where: {
      ...(filter.status !== null && { status: filter.status }),
      ...(filter.productId !== null && { productId: filter.productId }),
      ...(filter.feeCode !== null && { feeCode: filter.feeCode }),
      runDate: {
        ...(from !== null && { gte: new Date(from) }),
        ...(to !== null && { lte: new Date(to) }),
      },
      ...afterTimeAndId('createdAt', 'feeRunId', after),
    },
    orderBy: [{ createdAt: 'asc' }, { feeRunId: 'asc' }],
    take,
  })
  return rows.map(fromRow)
}

const isLeasableSql =
  "status in ('scheduled', 'running') and (leased_until is null or leased_until <= now())"

/** Whether there is a run that a worker can lease. */
export const areRunsDueSql = `exists (select from operations.fee_run where ${isLeasableSql})`

const leaseSql =
  "update operations.fee_run r set lease_id = $1, leased_until = now() + $2 * interval '1 ms' " +
  'from (select fee_run_id from operations.fee_run ' +
  `where ${isLeasableSql} ` +
  'order by created_at, fee_run_id limit 1 for update skip locked) free ' +
  'where r.fee_run_id = free.fee_run_id returning r.fee_run_id as id'

/**
 * Leases the oldest scheduled or running run that has no valid lease; null if there is none. Leases
 * expire by the clock of the database, because the bank clock can be moved in the sandbox.
 */
export async function leaseRun(
  context: Context,
  leaseId: string,
  leaseMs: number,
): Promise<FeeRun | null> {
  const rows = await readRows<{ id: string }>(context.bank, leaseSql, [leaseId, leaseMs])
  return rows[0] ? findRun(context, rows[0].id) : null
}

/** Finds the run with the latest start time; null if no run has started. */
export async function findLatestRun({ db }: Context): Promise<FeeRun | null> {
  const row = await db.feeRun.findFirst({
    where: { startedAt: { not: null } },
    orderBy: { startedAt: 'desc' },
  })
  return row && fromRow(row)
}

const releaseLeaseSql =
  'update operations.fee_run set leased_until = null, lease_id = null where lease_id = $1'

/** Releases a lease. Has no effect if the lease expired and another worker leased the run. */
export async function releaseRun({ bank }: Context, leaseId: string): Promise<void> {
  await readRows(bank, releaseLeaseSql, [leaseId])
}

/**
 * The latest period of a fee for which a run was scheduled automatically. `end` is its last day.
 */
export interface LastPeriod {
  productId: string
  feeCode: string
  frequency: string
  end: LocalDate
}

const lastPeriodsSql =
  'select product_id as "productId", fee_code as "feeCode", frequency, max(period_end)::text as end ' +
  "from operations.fee_run where run_type <> 'manual' group by product_id, fee_code, frequency"

/** Reads the latest automatically scheduled period of every fee. */
export function readLastPeriods({ bank }: Context): Promise<LastPeriod[]> {
  return readRows<LastPeriod>(bank, lastPeriodsSql, [])
}

import type { EndOfDayRun } from '../../model/servicing/end-of-day.ts'
import type { Prisma } from '../../../../prisma/client/client.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { readRows } from '../../../../kernel/database/read-rows.ts'
import { columnsOf } from '../../../../kernel/writing/table.ts'
import { insert, update, updateMany, type Write } from '../../../../kernel/writing/writes.ts'
import { isServiced, type Facility } from '../../domain/facilities/facility.ts'
import { sqlWhere } from '../facilities/facility.ts'

const fromRow = (row: Prisma.EndOfDayRunGetPayload<object>): EndOfDayRun => ({
  ...row,
  businessDate: dateOf(row.businessDate),
})

const asDate = (date: LocalDate) => new Date(`${date}T00:00:00Z`)

export async function findRun(
  { db }: Context,
  businessDate: LocalDate,
): Promise<EndOfDayRun | null> {
  const row = await db.endOfDayRun.findUnique({ where: { businessDate: asDate(businessDate) } })
  return row && fromRow(row)
}

/** Finds the run of the latest business date; null if there has been no run. */
export async function findLatestRun(context: Context): Promise<EndOfDayRun | null> {
  const [run] = await listRuns(context, null, 1)
  return run ?? null
}

/**
 * Finds incomplete runs of business dates before `businessDate`. The run of `businessDate` also
 * closes those earlier dates.
 */
export async function findSupersededRuns(
  { db }: Context,
  businessDate: LocalDate,
): Promise<EndOfDayRun[]> {
  const where = { completedAt: null, businessDate: { lt: asDate(businessDate) } }
  return (await db.endOfDayRun.findMany({ where })).map(fromRow)
}

/** Lists runs, the latest business date first. */
export async function listRuns(
  { db }: Context,
  after: string[] | null,
  take: number,
): Promise<EndOfDayRun[]> {
  const rows = await db.endOfDayRun.findMany({
    where: after ? { businessDate: { lt: asDate(after[0]!) } } : {},
    orderBy: { businessDate: 'desc' },
    take,
  })
  return rows.map(fromRow)
}

export function insertRun(run: EndOfDayRun): Write {
  return insert('lending.end_of_day_run', columnsOf(run))
}

export function updateRun({ version, businessDate, done, completedAt }: EndOfDayRun): Write {
  const changes = { done, completed_at: completedAt }
  return update('lending.end_of_day_run', { business_date: businessDate }, version, changes)
}

const servicedSql = sqlWhere(isServiced)
const behindSql =
  `select facility_id as id from lending.facility f where ${servicedSql} and closed_through < $1 ` +
  'and facility_id <> all($3) order by closed_through, facility_id limit $2'
const countSql = `select count(*)::int as count from lending.facility f where ${servicedSql} and closed_through < $1`

/**
 * Returns the IDs of facilities whose end of day has not been run up to a date, furthest behind
 * first. The IDs in `excludedIds` are left out.
 */
export async function findFacilityIdsBehind(
  { bank }: Context,
  through: LocalDate,
  take: number,
  excludedIds: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await readRows<{ id: string }>(bank, behindSql, [through, take, [...excludedIds]])
  return rows.map(({ id }) => id)
}

export async function countFacilitiesBehind(
  { bank }: Context,
  through: LocalDate,
): Promise<number> {
  const [row] = await readRows<{ count: number }>(bank, countSql, [through])
  return row!.count
}

/**
 * Returns the write that updates facilities after their end of day. The version of each stored row
 * must be one less than the version of the facility.
 */
export function updateAfterEndOfDay(facilities: readonly Facility[]): Write {
  const rows = facilities.map((facility) => ({
    facility_id: facility.facilityId,
    version: facility.version - 1,
    state: facility.state,
    next_due_date: facility.nextDueDate,
    next_due_minor: facility.nextDueMinor,
    billed_installments: facility.billedInstallments,
    principal_minor: facility.principalMinor,
    accrued_minor: facility.accruedMinor,
    interest_due_minor: facility.interestDueMinor,
    principal_due_minor: facility.principalDueMinor,
    fees_due_minor: facility.feesDueMinor,
    penalties_due_minor: facility.penaltiesDueMinor,
    accrued_total_minor: facility.accruedTotalMinor,
    accrued_through: facility.accruedThrough,
    closed_through: facility.closedThrough,
    delinquency_stage: facility.delinquencyStage,
    delinquency_bucket: facility.delinquencyBucket,
    updated_at: facility.updatedAt,
  }))
  return updateMany('lending.facility', 'facility_id', rows)
}

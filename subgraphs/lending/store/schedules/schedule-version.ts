import { Prisma } from '../../../../prisma/client/client.ts'
import { listLoader, listsByKey } from '../../../../kernel/database/list-loader.ts'
import { columnsAs, readRows } from '../../../../kernel/database/read-rows.ts'
import { decodeResponse, encodeResponse } from '../../../../kernel/writing/answer.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { insert, type Write } from '../../../../kernel/writing/writes.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import type { ScheduleChange } from '../../domain/facilities/schedule-change.ts'
import type { Schedule } from '../../domain/schedules/loan.ts'
import type { ScheduleFigures, ScheduleVersion } from '../../domain/schedules/version.ts'

/**
 * A stored schedule version, with the key figures that its schedule had when the version was
 * created.
 */
export interface StoredVersion extends ScheduleVersion {
  facilityId: string
  currency: string
  figures: ScheduleFigures
  createdAt: Date
}

/** Returns the write that inserts a schedule version. */
export function insertVersion({ facility, version, effect }: ScheduleChange, now: Date): Write {
  const { cause, loan, schedule } = version
  const nextInstallment = schedule.installments[facility.billedInstallments]
  return insert('lending.schedule_version', {
    facility_id: facility.facilityId,
    version: version.version,
    cause: cause && encodeResponse(cause),
    loan: encodeResponse(loan),
    schedule: encodeResponse(schedule),
    installment_minor: effect?.after.installmentMinor ?? nextInstallment?.paymentMinor ?? 0n,
    maturity_date: schedule.installments.at(-1)!.dueDate,
    total_interest_minor: schedule.totalInterestMinor,
    created_at: now,
  })
}

/** Reads the schedule that a facility had at the end of a day (UTC); null if it had none. */
export async function readScheduleOn(
  { db }: Context,
  facilityId: string,
  day: LocalDate,
): Promise<Schedule | null> {
  const row = await db.scheduleVersion.findFirst({
    where: { facilityId, createdAt: { lte: new Date(`${day}T23:59:59.999Z`) } },
    orderBy: { version: 'desc' },
  })
  return row && (decodeResponse(row.schedule) as Schedule)
}

/**
 * Reads the schedules of versions of a facility, by version. Does not check the caller's permissions.
 */
export async function readSchedules(
  { bank }: Context,
  facilityId: string,
  versions: readonly number[],
): Promise<Map<number, Schedule>> {
  const rows = await bank.db.scheduleVersion.findMany({
    where: { facilityId, version: { in: [...versions] } },
    select: { version: true, schedule: true },
  })
  return new Map(
    rows.map(({ version, schedule }) => [version, decodeResponse(schedule) as Schedule]),
  )
}

type VersionRow = Prisma.ScheduleVersionGetPayload<object>

const versionsSql = `
  select ${columnsAs<VersionRow>(...Object.values(Prisma.ScheduleVersionScalarFieldEnum))}
  from unnest($1::text[]) f(id) cross join lateral (
    select * from lending.schedule_version
    where facility_id = f.id and ($2::int is null or version < $2) order by version desc limit $3
  ) version`

const loadVersions = listLoader(
  async (context, facilityIds, { before, take }: { before: number | null; take: number }) => {
    const values = [facilityIds, before, take]
    const rows = await readRows<VersionRow>(context.bank, versionsSql, values)
    const visibleRows = await context.keepVisible('scheduleVersion', rows)
    return listsByKey(facilityIds, visibleRows, ({ facilityId }) => facilityId)
  },
)

/**
 * Lists the schedule versions of a facility, newest first. If `before` is not null, only versions
 * with lower numbers are listed.
 */
export async function listVersions(
  context: Context,
  { facilityId, currency }: Facility,
  before: number | null,
  take: number,
): Promise<StoredVersion[]> {
  const rows = await loadVersions(context, facilityId, { before, take })
  return rows.map((row) => ({
    facilityId,
    currency,
    version: row.version,
    cause: row.cause === null ? null : (decodeResponse(row.cause) as ScheduleVersion['cause']),
    loan: decodeResponse(row.loan) as ScheduleVersion['loan'],
    schedule: decodeResponse(row.schedule) as ScheduleVersion['schedule'],
    figures: {
      installmentMinor: BigInt(row.installmentMinor),
      maturityDate: dateOf(row.maturityDate) satisfies LocalDate,
      totalInterestMinor: BigInt(row.totalInterestMinor),
    },
    createdAt: row.createdAt,
  }))
}

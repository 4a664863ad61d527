import { decodeResponse, encodeResponse } from '../../../../kernel/writing/answer.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { insert, type Write } from '../../../../kernel/writing/writes.ts'
import type { Facility } from '../../domain/facilities/facility.ts'
import type { ScheduleChange } from '../../domain/facilities/schedule-change.ts'
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

/**
 * Lists the schedule versions of a facility, newest first. If `before` is not null, only versions
 * with lower numbers are listed.
 */
export async function listVersions(
  { db }: Context,
  { facilityId, currency }: Facility,
  before: number | null,
  take: number,
): Promise<StoredVersion[]> {
  const rows = await db.scheduleVersion.findMany({
    where: { facilityId, ...(before !== null && { version: { lt: before } }) },
    orderBy: { version: 'desc' },
    take,
  })
  return rows.map((row) => ({
    facilityId,
    currency,
    version: row.version,
    cause: row.cause === null ? null : (decodeResponse(row.cause) as ScheduleVersion['cause']),
    loan: decodeResponse(row.loan) as ScheduleVersion['loan'],
    schedule: decodeResponse(row.schedule) as ScheduleVersion['schedule'],
    figures: {
      installmentMinor: row.installmentMinor,
      maturityDate: dateOf(row.maturityDate) satisfies LocalDate,
      totalInterestMinor: row.totalInterestMinor,
    },
    createdAt: row.createdAt,
  }))
}

import { decodeAnswer, encodeAnswer } from '../../_kernel/answer.ts'
import type { Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import { insert, type Write } from '../../_kernel/writes.ts'
import type { Facility } from '../domain/facility.ts'
import type { ScheduleChange } from '../domain/schedule-change.ts'
import type { ScheduleFigures, ScheduleVersion } from '../domain/version.ts'

/** A version as it is kept: with its figures when it came to be. */
export interface KeptVersion extends ScheduleVersion {
  facilityId: string
  currency: string
  figures: ScheduleFigures
  createdAt: Date
}

/** Keeps a version beside those before it. */
export function insertVersion({ facility, version, effect }: ScheduleChange, now: Date): Write {
  const { cause, loan, schedule } = version
  const next = schedule.instalments[facility.billedInstalments]
  return insert('lending.schedule_version', {
    facility_id: facility.facilityId,
    version: version.version,
    cause: cause && encodeAnswer(cause),
    loan: encodeAnswer(loan),
    schedule: encodeAnswer(schedule),
    instalment_minor: effect?.after.instalmentMinor ?? next?.paymentMinor ?? 0n,
    maturity_date: schedule.instalments.at(-1)!.dueDate,
    total_interest_minor: schedule.totalInterestMinor,
    created_at: now,
  })
}

/** The schedules of a facility, the newest first. */
export async function listVersions(
  { db }: Context,
  { facilityId, currency }: Facility,
  before: number | null,
  take: number,
): Promise<KeptVersion[]> {
  const rows = await db.scheduleVersion.findMany({
    where: { facilityId, ...(before !== null && { version: { lt: before } }) },
    orderBy: { version: 'desc' },
    take,
  })
  return rows.map((row) => ({
    facilityId,
    currency,
    version: row.version,
    cause: row.cause === null ? null : (decodeAnswer(row.cause) as ScheduleVersion['cause']),
    loan: decodeAnswer(row.loan) as ScheduleVersion['loan'],
    schedule: decodeAnswer(row.schedule) as ScheduleVersion['schedule'],
    figures: {
      instalmentMinor: row.instalmentMinor,
      maturityDate: dateOf(row.maturityDate) satisfies LocalDate,
      totalInterestMinor: row.totalInterestMinor,
    },
    createdAt: row.createdAt,
  }))
}

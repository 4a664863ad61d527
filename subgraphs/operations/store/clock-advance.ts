import type { ClockAdvanceFailure } from '../model/clock-advance.ts'
import type { ClockAdvanceStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addMs, dateOf, dayMs } from '../../../kernel/domain/dates.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { ClockAdvance, FollowedJob } from '../domain/clock-advance.ts'

export const clockAdvanceTable = tableOf<ClockAdvance, Prisma.ClockAdvanceGetPayload<object>>(
  'operations.clock_advance',
  'clockAdvanceId',
  ({ db }) => db.clockAdvance,
  (row) => ({
    ...row,
    status: row.status as ClockAdvanceStatus,
    closedThrough: row.closedThrough && dateOf(row.closedThrough),
    failures: row.failures as unknown as ClockAdvanceFailure[],
  }),
)

/** Whether the bank has not caught up with an advance of the clock. */
export const areAdvancesOpenSql =
  "exists (select from operations.clock_advance where status <> 'completed')"

/** Finds up to 100 advances that the bank has not caught up with yet, oldest first. */
export function findOpenAdvances(context: Context): Promise<ClockAdvance[]> {
  return clockAdvanceTable.findMany(context, {
    where: { status: { not: 'completed' } },
    orderBy: { createdAt: 'asc' },
    take: 100,
  })
}

/** Finds the latest advance of the clock; null if the clock was never moved. */
export async function findLatestAdvance(context: Context): Promise<ClockAdvance | null> {
  const query = { orderBy: [{ toAt: 'desc' }, { createdAt: 'desc' }], take: 1 }
  const [latest] = await clockAdvanceTable.findMany(context, query)
  return latest ?? null
}

/**
 * Reads the jobs that follow the bank's clock, and those that have ever failed, of which some process
 * has reported within the last day.
 */
export async function readFollowedJobs({ db }: Context): Promise<FollowedJob[]> {
  return db.job.findMany({
    where: {
      seenAt: { gte: addMs(realNow(), -dayMs) },
      OR: [{ followsClock: true }, { failedAt: { not: null } }],
    },
    select: {
      name: true,
      followsClock: true,
      caughtUpTo: true,
      succeededAt: true,
      failedAt: true,
      errorCode: true,
      errorDetail: true,
    },
    orderBy: { name: 'asc' },
  })
}

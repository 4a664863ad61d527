import type { Prisma } from '../../../prisma/client/client.ts'
import { realNow } from '../../_kernel/clock.ts'
import type { Context } from '../../_kernel/context.ts'
import { addMs, dateOf, dayMs } from '../../_kernel/domain/dates.ts'
import { tableOf } from '../../_kernel/table.ts'
import type {
  ClockAdvance,
  ClockAdvanceFailure,
  ClockAdvanceStatus,
  FollowingJob,
} from '../domain/clock-advance.ts'

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

/** Advances that the bank has not caught up with, the oldest first. */
export function findOpenAdvances(context: Context): Promise<ClockAdvance[]> {
  return clockAdvanceTable.findMany(context, {
    where: { status: { not: 'completed' } },
    orderBy: { createdAt: 'asc' },
    take: 100,
  })
}

/** The latest advance of the clock; null when it was never moved. */
export async function findLatestAdvance(context: Context): Promise<ClockAdvance | null> {
  const query = { orderBy: [{ toAt: 'desc' }, { createdAt: 'desc' }], take: 1 }
  const [latest] = await clockAdvanceTable.findMany(context, query)
  return latest ?? null
}

/** Jobs that depend on the bank's time and that some process did within the last day. */
export async function readFollowingJobs({ db }: Context): Promise<FollowingJob[]> {
  return db.job.findMany({
    where: { followsClock: true, seenAt: { gte: addMs(realNow(), -dayMs) } },
    select: {
      name: true,
      caughtUpTo: true,
      succeededAt: true,
      failedAt: true,
      errorCode: true,
      errorDetail: true,
    },
    orderBy: { name: 'asc' },
  })
}

/** Whether fee runs are scheduled or running. */
export async function hasOpenFeeRuns({ db }: Context): Promise<boolean> {
  const where = { status: { in: ['scheduled', 'running'] } }
  return (await db.feeRun.findFirst({ where, select: { feeRunId: true } })) !== null
}

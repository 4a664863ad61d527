import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { update, type Write } from '../../../kernel/writing/writes.ts'
import type { Job } from '../domain/job.ts'

function fromRow(row: Prisma.JobGetPayload<object>): Job {
  return {
    ...row,
    businessDate: row.businessDate && dateOf(row.businessDate),
    progressDate: row.progressDate && dateOf(row.progressDate),
  }
}

/** Lists the jobs that were reported at or after a time, sorted by name. */
export async function listJobs({ db }: Context, seenSince: Date): Promise<Job[]> {
  const where = { seenAt: { gte: seenSince } }
  return (await db.job.findMany({ where, orderBy: { name: 'asc' } })).map(fromRow)
}

export async function findJob({ db }: Context, name: string): Promise<Job | null> {
  const row = await db.job.findUnique({ where: { name } })
  return row && fromRow(row)
}

/** Returns the write that records the request for an immediate run of a job. */
export function requestJob({ name, version }: Job, requestedAt: Date, requestedBy: string): Write {
  return update('kernel.job', { name }, version, {
    requested_at: requestedAt,
    requested_by: requestedBy,
  })
}

import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { update, type Write } from '../../_kernel/writes.ts'
import type { Job } from '../domain/job.ts'

function fromRow(row: Prisma.JobGetPayload<object>): Job {
  return {
    ...row,
    businessDate: row.businessDate && dateOf(row.businessDate),
    progressDate: row.progressDate && dateOf(row.progressDate),
  }
}

/** Jobs reported since a time, in the order of their names. */
export async function listJobs({ db }: Context, seenSince: Date): Promise<Job[]> {
  const where = { seenAt: { gte: seenSince } }
  return (await db.job.findMany({ where, orderBy: { name: 'asc' } })).map(fromRow)
}

export async function findJob({ db }: Context, name: string): Promise<Job | null> {
  const row = await db.job.findUnique({ where: { name } })
  return row && fromRow(row)
}

/** Records that a run of a job was requested. */
export function askJob({ name, version }: Job, askedAt: Date, askedBy: string): Write {
  return update('kernel.job', { name }, version, { asked_at: askedAt, asked_by: askedBy })
}

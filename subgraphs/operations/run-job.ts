import { requireBank } from '../_kernel/auth.ts'
import { realNow } from '../_kernel/clock.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { Job } from './domain/job.ts'
import { tellAsked } from './events.ts'
import { askJob, findJob } from './store/job.ts'

/**
 * Requests an immediate run of a job in every process that runs it; a running job runs once more
 * when it has finished. As in a regular run, it does only work that is due.
 * Rejects with NOT_FOR_DELEGATED_USERS and JOB_NOT_FOUND.
 */
export function runJob(context: Context, name: string): Promise<Job> {
  return command(context, 'runJob', { name }, async () => {
    requireBank(context)
    const job = await findJob(context, name)
    if (!job) throw new Problem('JOB_NOT_FOUND', { resourceId: name })
    const askedAt = realNow()
    const askedBy = context.caller.clientId
    const version = job.version + 1
    return {
      result: { ...job, askedAt, askedBy, version },
      resourceId: name,
      writes: [askJob(job, askedAt, askedBy)],
      events: [tellAsked(name, askedAt, version)],
    }
  })
}

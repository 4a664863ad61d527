import { actorOf } from '../../../kernel/authorization/caller.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import type { Job } from '../domain/job.ts'
import { startRequestedEvent } from '../events.ts'
import { requestJob, findJob } from '../store/job.ts'

/**
 * Requests an immediate run of a job in every process that runs it. A job that is running runs once
 * more afterwards. As in a regular run, the job only does work that is due.
 * Throws NOT_FOR_DELEGATED_USERS, JOB_NOT_FOUND.
 */
export function runJob(context: Context, name: string): Promise<Job> {
  return command(context, 'runJob', { name }, async () => {
    requireBank(context)
    const job = await findJob(context, name)
    if (!job) throw new Problem('JOB_NOT_FOUND', { resourceId: name })
    const requestedAt = realNow()
    const requestedBy = actorOf(context.caller)
    const version = job.version + 1
    return {
      result: { ...job, requestedAt, requestedBy, version },
      resourceId: name,
      writes: [requestJob(job, requestedAt, requestedBy)],
      events: [startRequestedEvent(name, requestedAt, version)],
    }
  })
}

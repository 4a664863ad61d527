import { string } from '../../../kernel/domain/model.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { realNow } from '../../../kernel/work/clock.ts'
import { addMs, dateOf, dayMs } from '../../../kernel/domain/dates.ts'
import { staleAfterMs } from '../../../kernel/work/jobs.ts'
import { lastRunAt, nextDueAt, statusOf, type Job as Domain } from '../domain/job.ts'
import { nightlyRunOf } from '../domain/nightly-run.ts'
import { runJob } from '../commands/run-job.ts'
import { listJobs } from '../store/job.ts'
import { Job } from '../model/job.ts'
import { NightlyRun } from '../model/nightly-run.ts'

/** A job that no process has reported for this long no longer exists and is not listed. */
const listedMs = 30 * dayMs

export const JobOperations = resolverOf({
  queries: {
    jobs: operation({
      description:
        'Returns the recurring jobs of the bank in order of name, as reported by the running ' +
        'processes.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: [Job],
      args: {},
      async resolve(context) {
        const now = realNow()
        return (await listJobs(context, addMs(now, -listedMs))).map((job) => jobOut(job, now))
      },
    }),
    nightlyRun: operation({
      description:
        'Returns the nightly run of the last business date that has ended: all jobs that close ' +
        'it, as one plan with the state and the forecast of each step. Times are accurate to ' +
        'about 20 seconds.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: NightlyRun,
      args: {},
      async resolve(context) {
        const at = realNow()
        const jobs = await listJobs(context, addMs(at, -listedMs))
        const run = nightlyRunOf(jobs, { today: dateOf(context.now()), at, staleAfterMs })
        return { ...run, steps: run.steps.map((step) => ({ ...step, job: jobOut(step.job, at) })) }
      },
    }),
  },
  mutations: {
    runJob: operation({
      description:
        'Requests an immediate run of a job. Work that has already been done is not repeated. ' +
        'Query `jobs` for the result.',
      scope: 'operations:manage',
      returns: Job,
      args: { name: string('The name of the job, such as `lending.end-of-day`.') },
      resolve: async (context, { name }) => jobOut(await runJob(context, name), realNow()),
    }),
  },
})

function jobOut(job: Domain, now: Date): Job {
  const { failedAt: at, errorCode: code, errorDetail: detail } = job
  const { progressDate: businessDate, progressDone: done, progressTotal: total } = job
  const status = statusOf(job, now, staleAfterMs)
  return {
    ...job,
    status,
    runningSince: status === 'running' ? job.runningSince : null,
    lastRunAt: lastRunAt(job),
    lastWorkedAt: job.workedAt,
    nextDueAt: nextDueAt(job, now, staleAfterMs),
    progress: businessDate !== null && done !== null ? { businessDate, done, total } : null,
    lastError: at && code !== null && detail !== null ? { at, code, detail } : null,
  }
}

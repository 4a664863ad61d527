import type { JobStatus } from '../model/enumerations.ts'
import { addMs, type LocalDate } from '../../../kernel/domain/dates.ts'

/** A recurring job, as last reported by the processes that run it. Times are real time. */
export interface Job {
  name: string
  purpose: string
  /** The interval between runs if nothing wakes the job earlier, in milliseconds. */
  everyMs: number
  businessDate: LocalDate | null
  seenAt: Date
  runningSince: Date | null
  runningUntil: Date | null
  workedAt: Date | null
  lastDone: number | null
  succeededAt: Date | null
  failedAt: Date | null
  errorCode: string | null
  errorDetail: string | null
  progressDate: LocalDate | null
  progressDone: number | null
  progressTotal: number | null
  requestedAt: Date | null
  requestedBy: string | null
  /** The phase of the nightly run to which the job belongs; null if it is no step of it. */
  nightlyPhase: string | null
  version: number
}

/** Returns when the latest run ended, whether it succeeded or failed; null if none has ended. */
export function lastRunAt({ succeededAt, failedAt }: Job): Date | null {
  if (!succeededAt || !failedAt) return succeededAt ?? failedAt
  return succeededAt > failedAt ? succeededAt : failedAt
}

/**
 * Returns the status of a job. A job that no process has reported for `staleAfterMs` is `stale`.
 */
export function statusOf(job: Job, now: Date, staleAfterMs: number): JobStatus {
  if (job.runningUntil && job.runningUntil > now) return 'running'
  if (job.seenAt < addMs(now, -staleAfterMs)) return 'stale'
  const isFailed = job.failedAt !== null && job.failedAt.getTime() === lastRunAt(job)?.getTime()
  return isFailed ? 'failed' : 'idle'
}

/**
 * Returns the latest time at which the next run starts; null while the job is running, or if no
 * process runs it.
 */
export function nextDueAt(job: Job, now: Date, staleAfterMs: number): Date | null {
  const status = statusOf(job, now, staleAfterMs)
  if (status === 'running' || status === 'stale') return null
  const dueAt = addMs(lastRunAt(job) ?? now, job.everyMs)
  // Runs without work are not reported each time, so the last report may be older than one
  // interval.
  return dueAt > now ? dueAt : addMs(now, job.everyMs)
}

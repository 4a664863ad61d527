import { addMs, type LocalDate } from '../../_kernel/domain/dates.ts'

export const jobStatuses = ['running', 'idle', 'failed', 'away'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** A recurring job, as last reported by the processes that run it. Times are real time. */
export interface Job {
  name: string
  purpose: string
  /** The interval between runs when nothing wakes the job earlier. */
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
  askedAt: Date | null
  askedBy: string | null
  version: number
}

/** When the latest run ended, successful or not. */
export function lastRunAt({ succeededAt, failedAt }: Job): Date | null {
  if (!succeededAt || !failedAt) return succeededAt ?? failedAt
  return succeededAt > failedAt ? succeededAt : failedAt
}

/** The state of a job. A job that no process has reported for `awayMs` is `away`. */
export function statusOf(job: Job, now: Date, awayMs: number): JobStatus {
  if (job.runningUntil && job.runningUntil > now) return 'running'
  if (job.seenAt < addMs(now, -awayMs)) return 'away'
  const isFailed = job.failedAt !== null && job.failedAt.getTime() === lastRunAt(job)?.getTime()
  return isFailed ? 'failed' : 'idle'
}

/** The latest time of the next run; null while the job is running or when no process runs it. */
export function nextDueAt(job: Job, now: Date, awayMs: number): Date | null {
  const status = statusOf(job, now, awayMs)
  if (status === 'running' || status === 'away') return null
  const due = addMs(lastRunAt(job) ?? now, job.everyMs)
  // Runs that found no work are not reported each time.
  return due > now ? due : addMs(now, job.everyMs)
}

import { addMs, type LocalDate } from '../../_kernel/domain/dates.ts'

export const jobStatuses = ['running', 'idle', 'failed', 'away'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** Recurring work of the bank, as the processes that do it last said. Times are real time. */
export interface Job {
  name: string
  purpose: string
  /** How long it rests when nothing wakes it before. */
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

/** When it last came to an end, well or not. */
export function lastRunAt({ succeededAt, failedAt }: Job): Date | null {
  if (!succeededAt || !failedAt) return succeededAt ?? failedAt
  return succeededAt > failedAt ? succeededAt : failedAt
}

/** What a job is doing; one whose processes said nothing for `awayMs` is done by none that is up. */
export function statusOf(job: Job, now: Date, awayMs: number): JobStatus {
  if (job.runningUntil && job.runningUntil > now) return 'running'
  if (job.seenAt < addMs(now, -awayMs)) return 'away'
  const isFailed = job.failedAt !== null && job.failedAt.getTime() === lastRunAt(job)?.getTime()
  return isFailed ? 'failed' : 'idle'
}

/** When it looks again at the latest; null while it runs, and for one that no process does. */
export function nextDueAt(job: Job, now: Date, awayMs: number): Date | null {
  const status = statusOf(job, now, awayMs)
  if (status === 'running' || status === 'away') return null
  const due = addMs(lastRunAt(job) ?? now, job.everyMs)
  // A look that found nothing is not written down each time.
  return due > now ? due : addMs(now, job.everyMs)
}

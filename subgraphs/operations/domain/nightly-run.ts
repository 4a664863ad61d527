import type { NightlyStatus } from '../model/enumerations.ts'
import { addDays, addMs, type LocalDate } from '../../../kernel/domain/dates.ts'
import { nightlyPhases, type NightlyPhase } from '../../../kernel/domain/nightly-phases.ts'
import { statusOf, type Job } from './job.ts'

/** A job as a step of the nightly run. */
export interface NightlyStep {
  phase: NightlyPhase
  job: Job
  status: NightlyStatus
  /** When the step will have processed all records, in real time; null if this is not known. */
  estimatedEndAt: Date | null
}

/** What the bank does by itself after a business date has ended. */
export interface NightlyRun {
  businessDate: LocalDate
  status: NightlyStatus
  estimatedEndAt: Date | null
  steps: NightlyStep[]
}

/** The time at which reports are judged. `today` is the bank's date, `at` is real time. */
interface Moment {
  today: LocalDate
  at: Date
  staleAfterMs: number
}

/** From the status that an operator must see first to the one that needs no attention. */
const byUrgency: readonly NightlyStatus[] = ['failed', 'stale', 'running', 'pending', 'completed']

/** Returns the nightly run of the last business date that has ended, from the reports of the jobs. */
export function nightlyRunOf(jobs: readonly Job[], moment: Moment): NightlyRun {
  const steps = nightlyPhases.flatMap((phase) =>
    jobs
      .filter(({ nightlyPhase }) => nightlyPhase === phase)
      .map((job) => stepOf(job, phase, moment)),
  )
  return {
    businessDate: addDays(moment.today, -1),
    status: byUrgency.find((status) => steps.some((step) => step.status === status)) ?? 'pending',
    estimatedEndAt: latestEstimate(steps),
    steps,
  }
}

function stepOf(job: Job, phase: NightlyPhase, moment: Moment): NightlyStep {
  const status = stepStatus(job, moment)
  return { phase, job, status, estimatedEndAt: status === 'running' ? estimateEnd(job) : null }
}

function stepStatus(job: Job, { today, at, staleAfterMs }: Moment): NightlyStatus {
  const status = statusOf(job, at, staleAfterMs)
  if (status !== 'idle') return status
  const hasRun = job.businessDate !== null && job.businessDate >= today && job.succeededAt !== null
  return hasRun && !hasWorkLeft(job, today) ? 'completed' : 'pending'
}

/** Whether the job has reported that it processed only a part of the records of the ended date. */
function hasWorkLeft(
  { progressDate, progressDone, progressTotal }: Job,
  today: LocalDate,
): boolean {
  if (progressDate !== addDays(today, -1) || progressTotal === null) return false
  return progressDone! < progressTotal
}

/** Expects that the rest of the records takes as long per record as those of the current run. */
function estimateEnd(job: Job): Date | null {
  const { runningSince, workedAt, lastDone, progressDone, progressTotal } = job
  if (!runningSince || !workedAt || workedAt <= runningSince || !lastDone) return null
  if (progressDone === null || progressTotal === null) return null
  const msPerRecord = (workedAt.getTime() - runningSince.getTime()) / lastDone
  return addMs(workedAt, Math.round(msPerRecord * Math.max(0, progressTotal - progressDone)))
}

/** Returns the latest estimate of the running steps; null if one of them has none. */
function latestEstimate(steps: readonly NightlyStep[]): Date | null {
  const estimates = steps
    .filter(({ status }) => status === 'running')
    .map(({ estimatedEndAt }) => estimatedEndAt)
  if (estimates.length === 0 || estimates.includes(null)) return null
  return new Date(Math.max(...estimates.map((estimate) => estimate!.getTime())))
}

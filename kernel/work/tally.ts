import type { Context } from '../environment/context.ts'
import type { LocalDate } from '../domain/dates.ts'
import type { NightlyPhase } from '../domain/nightly-phases.ts'

/** The progress of a job in items. `total` is null while it is unknown. */
export interface Progress {
  businessDate: LocalDate
  done: number
  total: number | null
}

/** A named recurring task, such as a worker. */
export interface RecurringJob {
  name: string
  purpose: string
  everyMs: number
  followsClock?: boolean
  nightlyPhase?: NightlyPhase
  /** Whether a pass lasts as long as the process, so that its duration says nothing. */
  runsUntilStopped?: boolean
  progress?(context: Context): Promise<Progress | null>
}

/** The state of one job in this process. */
export interface Tally {
  job: RecurringJob
  businessDate: LocalDate | null
  runningSince: Date | null
  /** The number of items completed so far in the current run. */
  done: number
  workedAt: Date | null
  lastDone: number | null
  succeededAt: Date | null
  failure: { at: Date; code: string; detail: string } | null
  /** When the first of the passes failed that have failed since the last success. */
  failingSince: Date | null
  /** The failed passes and the completed items since the start of this process. */
  failureCount: number
  itemCount: number
  /** The bank time up to which all due work is done; null before the first time it caught up. */
  caughtUpTo: Date | null
  /** The progress that was read and is not recorded yet. */
  progress: Progress | null
  /** Whether a run has begun or gone on since the progress was read. */
  mayHaveProgressed: boolean
  /** Whether there are changes that have not been recorded. */
  hasChanges: boolean
  /** When the run was last reported; null if the job is currently reported as not running. */
  reportedRunningAt: Date | null
}

export function newTally(job: RecurringJob): Tally {
  return {
    job,
    businessDate: null,
    runningSince: null,
    done: 0,
    workedAt: null,
    lastDone: null,
    succeededAt: null,
    failure: null,
    failingSince: null,
    failureCount: 0,
    itemCount: 0,
    caughtUpTo: null,
    progress: null,
    mayHaveProgressed: true,
    hasChanges: true,
    reportedRunningAt: null,
  }
}

/** How long a job has failed, or not completed a batch of its current pass, in milliseconds. */
export interface JobDelay {
  name: string
  failingMs: number
  runningMs: number
  failureCount: number
  itemCount: number
}

/** How long a job that runs until it is stopped must run before an earlier failure is over. */
const recoveredAfterMs = 30_000

/** Returns the delay of a job; both durations are 0 for a job that is up to date. */
export function delayOf(tally: Tally, now: Date): JobDelay {
  const { job, runningSince, workedAt, failingSince, failureCount, itemCount } = tally
  const sinceMs = (time: Date | null) => (time ? now.getTime() - time.getTime() : 0)
  const isRecovered = job.runsUntilStopped && sinceMs(runningSince) > recoveredAfterMs
  const lastBatchAt = runningSince && workedAt && workedAt > runningSince ? workedAt : runningSince
  return {
    name: job.name,
    failingMs: isRecovered ? 0 : sinceMs(failingSince),
    runningMs: job.runsUntilStopped ? 0 : sinceMs(lastBatchAt),
    failureCount,
    itemCount,
  }
}

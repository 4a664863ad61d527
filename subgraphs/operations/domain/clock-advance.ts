import type { ClockAdvanceFailure } from '../model/clock-advance.ts'
import type { ClockAdvanceStatus } from '../model/enumerations.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

/** A move of the sandbox clock, tracked until the bank has caught up with it. */
export interface ClockAdvance extends Versioned {
  clockAdvanceId: string
  fromAt: Date
  toAt: Date
  /**
   * The status is `failed` while all remaining work has failed and is being retried. The advance
   * completes when this work succeeds.
   */
  status: ClockAdvanceStatus
  /**
   * The last day that the end-of-day run has closed for every facility; null before the first
   * check.
   */
  closedThrough: LocalDate | null
  facilitiesBehind: number
  /** Names of jobs that have not done all the work that fell due. */
  waitingFor: string[]
  failures: ClockAdvanceFailure[]
  requestedBy: string
  completedAt: Date | null
}

type Head = Versioned & Pick<ClockAdvance, 'clockAdvanceId' | 'fromAt' | 'toAt' | 'requestedBy'>

export function newClockAdvance(head: Head): ClockAdvance {
  return {
    ...head,
    status: 'running',
    closedThrough: null,
    facilitiesBehind: 0,
    waitingFor: [],
    failures: [],
    completedAt: null,
  }
}

/** The progress of a job. Times of runs are real time. */
export interface FollowedJob {
  name: string
  /** Whether work of the job becomes due by the bank's clock. */
  followsClock: boolean
  /** The bank time up to which the job has done all due work; null if it never caught up. */
  caughtUpTo: Date | null
  succeededAt: Date | null
  failedAt: Date | null
  errorCode: string | null
  errorDetail: string | null
}

/** The progress of the bank, as reported by its areas and jobs. */
export interface BankProgress {
  closedThrough: LocalDate
  behind: number
  facilityFailures: Omit<ClockAdvanceFailure, 'job'>[]
  jobs: readonly FollowedJob[]
  /** Whether fee runs are scheduled or running. */
  hasOpenFeeRuns: boolean
}

const endOfDayJob = 'lending.end-of-day'
const feeRunsJob = 'operations.run-fees'

/** Returns an advance with the current progress of the bank. */
export function withProgress(
  advance: ClockAdvance,
  progress: BankProgress,
  now: Date,
): ClockAdvance {
  const { closedThrough, behind, jobs } = progress
  const targetDate = addDays(dateOf(advance.toAt), -1)
  const isBehind = closedThrough < targetDate
  const jobsBehind = jobs.filter((job) => isFailing(job) || isBehindClock(job, advance.toAt))
  const names = new Set(jobsBehind.map(({ name }) => name))
  if (isBehind) names.add(endOfDayJob)
  if (progress.hasOpenFeeRuns) names.add(feeRunsJob)
  const failures = [...(isBehind ? facilityFailures(progress) : []), ...jobFailures(jobsBehind)]
  const after = {
    ...advance,
    closedThrough,
    facilitiesBehind: isBehind ? behind : 0,
    waitingFor: [...names].sort(),
    failures,
  }
  if (names.size === 0) return { ...after, status: 'completed', completedAt: now }
  return { ...after, status: hasOnlyFailures(after, progress) ? 'failed' : 'running' }
}

/** Whether all remaining work has failed, so that no work is still in progress. */
function hasOnlyFailures(
  { waitingFor, failures }: ClockAdvance,
  { behind }: BankProgress,
): boolean {
  const failedJobs = new Set(failures.map(({ job }) => job))
  const failedFacilities = failures.filter(
    ({ job, facilityId }) => job === endOfDayJob && facilityId,
  ).length
  if (failedFacilities > 0 && failedFacilities < Math.min(behind, maxListed)) return false
  return waitingFor.every((name) => failedJobs.has(name))
}

/** The maximum number of failures that the end-of-day report lists. */
const maxListed = 100

function facilityFailures({
  facilityFailures: failedFacilities,
}: BankProgress): ClockAdvanceFailure[] {
  return failedFacilities.map((failure) => ({ ...failure, job: endOfDayJob }))
}

function isBehindClock({ followsClock, caughtUpTo }: FollowedJob, toAt: Date): boolean {
  return followsClock && (caughtUpTo === null || caughtUpTo < toAt)
}

/**
 * Whether the last run of a job failed. Jobs that do not follow the clock, such as the dating of postings,
 * do work that the others made.
 */
function isFailing({ failedAt, succeededAt }: FollowedJob): boolean {
  return failedAt !== null && (succeededAt === null || failedAt > succeededAt)
}

/** Returns the failures of jobs whose last run failed. */
function jobFailures(jobs: readonly FollowedJob[]): ClockAdvanceFailure[] {
  return jobs.filter(isFailing).map(({ name, errorCode, errorDetail }) => ({
    job: name,
    facilityId: null,
    businessDate: null,
    code: errorCode ?? 'INTERNAL',
    detail: errorDetail ?? '',
  }))
}

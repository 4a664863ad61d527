import { addDays, dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

export const clockAdvanceStatuses = ['running', 'completed', 'failed'] as const
export type ClockAdvanceStatus = (typeof clockAdvanceStatuses)[number]

/** Something that fell due until the new time and failed. It is tried again. */
export interface ClockAdvanceFailure {
  job: string
  facilityId: string | null
  businessDate: LocalDate | null
  code: string
  detail: string
}

/** A move of the sandbox clock, followed until the bank has caught up with it. */
export interface ClockAdvance extends Versioned {
  clockAdvanceId: string
  fromAt: Date
  toAt: Date
  /** Failed: what is left has failed and is tried again; when it succeeds, the advance completes. */
  status: ClockAdvanceStatus
  /** The last day that the end of day has closed for every facility; null before it was looked at. */
  closedThrough: LocalDate | null
  facilitiesBehind: number
  /** Names of jobs that have not done everything that fell due. */
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

/** A job that depends on the bank's time, as far as catching up goes. Times of runs are real time. */
export interface FollowingJob {
  name: string
  /** Up to which time of the bank it has done what was due. */
  caughtUpTo: Date | null
  succeededAt: Date | null
  failedAt: Date | null
  errorCode: string | null
  errorDetail: string | null
}

/** How far the bank is, as its areas report. */
export interface BankProgress {
  closedThrough: LocalDate
  behind: number
  facilityFailures: Omit<ClockAdvanceFailure, 'job'>[]
  jobs: readonly FollowingJob[]
  /** Whether fee runs are scheduled or running. */
  hasOpenFeeRuns: boolean
}

const endOfDay = 'lending.end-of-day'
const feeRuns = 'operations.run-fees'

/** An advance with how far the bank is now; `requestedAt` is the real time of the advance. */
export function followAdvance(
  advance: ClockAdvance,
  progress: BankProgress,
  now: Date,
): ClockAdvance {
  const { closedThrough, behind, jobs } = progress
  const target = addDays(dateOf(advance.toAt), -1)
  const isBehind = closedThrough < target
  const late = jobs.filter(({ caughtUpTo }) => caughtUpTo === null || caughtUpTo < advance.toAt)
  const names = new Set(late.map(({ name }) => name))
  if (isBehind) names.add(endOfDay)
  if (progress.hasOpenFeeRuns) names.add(feeRuns)
  const failures = [...(isBehind ? facilityFailures(progress) : []), ...jobFailures(late)]
  const after = {
    ...advance,
    closedThrough,
    facilitiesBehind: isBehind ? behind : 0,
    waitingFor: [...names].sort(),
    failures,
  }
  if (names.size === 0) return { ...after, status: 'completed', completedAt: now }
  return { ...after, status: isOnlyFailing(after, progress) ? 'failed' : 'running' }
}

/** Whether everything that can be done is done, and the rest has failed. */
function isOnlyFailing({ waitingFor, failures }: ClockAdvance, { behind }: BankProgress): boolean {
  const failing = new Set(failures.map(({ job }) => job))
  const facilities = failures.filter(({ job, facilityId }) => job === endOfDay && facilityId).length
  if (facilities > 0 && facilities < Math.min(behind, maxListed)) return false
  return waitingFor.every((name) => failing.has(name))
}

/** The end of day lists no more failures than this. */
const maxListed = 100

function facilityFailures({ facilityFailures: failed }: BankProgress): ClockAdvanceFailure[] {
  return failed.map((failure) => ({ ...failure, job: endOfDay }))
}

/** Jobs whose last run failed as a whole. */
function jobFailures(jobs: readonly FollowingJob[]): ClockAdvanceFailure[] {
  return jobs.flatMap(({ name, failedAt, succeededAt, errorCode, errorDetail }) => {
    const isFailing = failedAt !== null && (succeededAt === null || failedAt > succeededAt)
    if (!isFailing) return []
    const detail = errorDetail ?? ''
    const code = errorCode ?? 'INTERNAL'
    return [{ job: name, facilityId: null, businessDate: null, code, detail }]
  })
}

import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Money } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import { endOf, type Period } from './fee-period.ts'
import type { FeeRunItem, FeeRunTerms } from './fee-run-item.ts'

export const feeRunStatuses = [
  'scheduled',
  'running',
  'completed',
  'completed-with-errors',
  'failed',
  'reversed',
] as const
export type FeeRunStatus = (typeof feeRunStatuses)[number]

export const feeRunMoves: Transitions<FeeRunStatus> = {
  scheduled: ['running'],
  running: ['completed', 'completed-with-errors', 'failed'],
  completed: ['reversed'],
  'completed-with-errors': ['reversed'],
  failed: ['running'],
  reversed: [],
}

/**
 * Start and resumption both lead to `running`, but are different commands with different sources.
 */
const beginnings: Transitions<FeeRunStatus> = { ...feeRunMoves, failed: [] }
const resumptions: Transitions<FeeRunStatus> = { ...feeRunMoves, scheduled: [] }
/** Between two pages, a run stays running. */
const pages: Transitions<FeeRunStatus> = { ...beginnings, scheduled: [], running: ['running'] }

export const feeRunTypes = ['periodic', 'event', 'manual'] as const
export type FeeRunType = (typeof feeRunTypes)[number]

/** The number of accounts in a run, in total and by outcome. */
export interface FeeRunCounts {
  selected: number
  charged: number
  waived: number
  skipped: number
  failed: number
}

export interface FeeRunError {
  arrangementId: string
  code: string
}

/**
 * A run of a fee over the accounts of a product, or the reversal of the run named by
 * `reversesRunId`.
 */
export interface FeeRun extends FeeRunTerms, FeeRunCounts {
  runType: FeeRunType
  productId: string
  /** The business date on which the run was requested. */
  runDate: LocalDate
  /**
   * Balances are as of this time: the end of the period, or the time of the request when that is
   * earlier.
   */
  asOf: Date
  status: FeeRunStatus
  triggeredBy: string
  /** The amounts charged, one per currency. Negative amounts are refunds made by a reversal. */
  totals: Money[]
  /** The first accounts that could not be charged. */
  errors: FeeRunError[]
  checkpoint: string | null
  /** The problem code with which the run failed. */
  failureCode: string | null
  reversesRunId: string | null
  reversedByRunId: string | null
  startedAt: Date | null
  completedAt: Date | null
  version: number
  createdAt: Date
  updatedAt: Date
}

export type NewFeeRun = Pick<
  FeeRun,
  'feeRunId' | 'runType' | 'feeCode' | 'productId' | 'frequency' | 'isDryRun' | 'triggeredBy'
> & { period: Period; now: Date }

/** A new scheduled run. */
export function scheduleRun({ period, now, ...asked }: NewFeeRun): FeeRun {
  const end = endOf(period)
  return {
    ...asked,
    periodStart: period.start,
    periodEnd: period.end,
    runDate: dateOf(now),
    asOf: end < now ? end : now,
    status: 'scheduled',
    selected: 0,
    charged: 0,
    waived: 0,
    skipped: 0,
    failed: 0,
    totals: [],
    errors: [],
    checkpoint: null,
    failureCode: null,
    reversesRunId: null,
    reversedByRunId: null,
    startedAt: null,
    completedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** Starts a scheduled run. Rejects with INVALID_STATE_TRANSITION. */
export function beginRun(run: FeeRun, now: Date): FeeRun {
  requireMove(beginnings, run.status, 'running', run.feeRunId)
  return moved(run, { status: 'running', startedAt: now }, now)
}

/** Resumes a failed run from its checkpoint. Rejects with INVALID_STATE_TRANSITION. */
export function resumeRun(run: FeeRun, now: Date): FeeRun {
  requireMove(resumptions, run.status, 'running', run.feeRunId)
  return moved(run, { status: 'running', failureCode: null }, now)
}

/** Fails a run that cannot continue. Rejects with INVALID_STATE_TRANSITION. */
export function failRun(run: FeeRun, failureCode: ProblemCode, now: Date): FeeRun {
  requireMove(feeRunMoves, run.status, 'failed', run.feeRunId)
  return moved(run, { status: 'failed', failureCode }, now)
}

/** The number of errors stored in a run; its items contain all of them. */
export const mostErrors = 20

/**
 * Advances a run by one page. `checkpoint` is the start of the next page; null after the last.
 * Rejects with INVALID_STATE_TRANSITION.
 */
export function advanceRun(
  run: FeeRun,
  items: readonly FeeRunItem[],
  checkpoint: string | null,
  now: Date,
): FeeRun {
  const failures = items.filter(({ outcome }) => outcome === 'failed')
  const of = (...outcomes: FeeRunItem['outcome'][]) =>
    items.filter(({ outcome }) => outcomes.includes(outcome)).length
  const errors = failures.map(({ arrangementId, reason }) => ({ arrangementId, code: reason! }))
  const after = {
    selected: run.selected + items.length,
    charged: run.charged + of('charged', 'reversed'),
    waived: run.waived + of('waived'),
    skipped: run.skipped + of('skipped'),
    failed: run.failed + failures.length,
    totals: addTotals(run.totals, items),
    errors: [...run.errors, ...errors].slice(0, mostErrors),
    checkpoint: checkpoint ?? run.checkpoint,
  }
  if (checkpoint !== null) {
    requireMove(pages, run.status, 'running', run.feeRunId)
    return moved(run, after, now)
  }
  const status = after.failed > 0 ? 'completed-with-errors' : 'completed'
  requireMove(feeRunMoves, run.status, status, run.feeRunId)
  return moved(run, { ...after, status, completedAt: now }, now)
}

function addTotals(totals: readonly Money[], items: readonly FeeRunItem[]): Money[] {
  const sums = new Map(totals.map(({ amountMinor, currency }) => [currency, amountMinor]))
  for (const { outcome, amountMinor, currency } of items) {
    if (amountMinor === null || (outcome !== 'charged' && outcome !== 'reversed')) continue
    const signed = outcome === 'charged' ? amountMinor : -amountMinor
    sums.set(currency, (sums.get(currency) ?? 0n) + signed)
  }
  return [...sums].map(([currency, amountMinor]) => ({ amountMinor, currency }))
}

/**
 * Schedules the reversal of a run and returns both. The run keeps its state until all its charges
 * are reversed.
 * Rejects with FEE_RUN_NOT_REVERSIBLE a dry run and a reversal, with INVALID_STATE_TRANSITION a run
 * that did not complete or is reversed, and with STATE_CONFLICT a run that is being reversed.
 */
export function scheduleReversal(
  run: FeeRun,
  made: { feeRunId: string; triggeredBy: string; now: Date },
): { run: FeeRun; reversal: FeeRun } {
  const { feeRunId: resourceId, isDryRun, reversesRunId, reversedByRunId } = run
  if (isDryRun || reversesRunId !== null) {
    const detail = isDryRun
      ? 'A dry run has no charges to reverse.'
      : 'A reversal cannot be reversed.'
    throw new Problem('FEE_RUN_NOT_REVERSIBLE', { detail, resourceId })
  }
  requireMove(feeRunMoves, run.status, 'reversed', resourceId)
  if (reversedByRunId !== null) {
    const detail = `${reversedByRunId} is already reversing the run.`
    const { status: currentState } = run
    throw new Problem('STATE_CONFLICT', { detail, resourceId, currentState, allowedStates: [] })
  }
  const { feeCode, productId, frequency, periodStart: start, periodEnd: end } = run
  const of = { feeCode, productId, frequency, period: { start, end } }
  const scheduled = scheduleRun({ ...made, ...of, runType: 'manual', isDryRun: false })
  return {
    run: moved(run, { reversedByRunId: made.feeRunId }, made.now),
    reversal: { ...scheduled, reversesRunId: resourceId },
  }
}

/**
 * The run after its reversal ended: reversed, or unchanged when charges remain and another reversal
 * is possible.
 */
export function endReversal(run: FeeRun, isWhole: boolean, now: Date): FeeRun {
  if (!isWhole) return moved(run, { reversedByRunId: null }, now)
  requireMove(feeRunMoves, run.status, 'reversed', run.feeRunId)
  return moved(run, { status: 'reversed' }, now)
}

function moved(run: FeeRun, changes: Partial<FeeRun>, now: Date): FeeRun {
  return { ...run, ...changes, version: run.version + 1, updatedAt: now }
}

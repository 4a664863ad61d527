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

/** To take up a run that failed is another act than to begin one, though both make it run. */
const beginnings: Transitions<FeeRunStatus> = { ...feeRunMoves, failed: [] }
const resumptions: Transitions<FeeRunStatus> = { ...feeRunMoves, scheduled: [] }
/** Between two pages it goes on running. */
const pages: Transitions<FeeRunStatus> = { ...beginnings, scheduled: [], running: ['running'] }

export const feeRunTypes = ['periodic', 'event', 'manual'] as const
export type FeeRunType = (typeof feeRunTypes)[number]

/** How many accounts a run looked at, and what became of them. */
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

/** One run of a fee over the accounts of a product; or the taking back of one, when `reversesRunId` names it. */
export interface FeeRun extends FeeRunTerms, FeeRunCounts {
  runType: FeeRunType
  productId: string
  /** The day of business it was asked for on. */
  runDate: LocalDate
  /** Balances are those of this instant: the end of the period, or before that, of the asking. */
  asOf: Date
  status: FeeRunStatus
  triggeredBy: string
  /** What was charged, by currency; below nothing for what a reversal gave back. */
  totals: Money[]
  /** The first of those that failed. */
  errors: FeeRunError[]
  checkpoint: string | null
  /** Why it failed as a whole. */
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

/** A run that a worker will take up. */
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

/** Begins a scheduled run. Refuses with INVALID_STATE_TRANSITION. */
export function beginRun(run: FeeRun, now: Date): FeeRun {
  requireMove(beginnings, run.status, 'running', run.feeRunId)
  return moved(run, { status: 'running', startedAt: now }, now)
}

/** Takes up a run that failed, where it stopped. Refuses with INVALID_STATE_TRANSITION. */
export function resumeRun(run: FeeRun, now: Date): FeeRun {
  requireMove(resumptions, run.status, 'running', run.feeRunId)
  return moved(run, { status: 'running', failureCode: null }, now)
}

/** Stops a run that cannot go on. Refuses with INVALID_STATE_TRANSITION. */
export function failRun(run: FeeRun, failureCode: ProblemCode, now: Date): FeeRun {
  requireMove(feeRunMoves, run.status, 'failed', run.feeRunId)
  return moved(run, { status: 'failed', failureCode }, now)
}

/** How many errors a run keeps; its items have all of them. */
export const mostErrors = 20

/** A page of a run is done, and `checkpoint` is where the next begins; null after the last. Refuses with INVALID_STATE_TRANSITION. */
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
 * Schedules the run that takes another one back, and answers both. The other one stays what it is
 * until all of it was taken back.
 * Refuses with FEE_RUN_NOT_REVERSIBLE a dry run and a reversal, with INVALID_STATE_TRANSITION a run
 * that did not complete or was taken back, with STATE_CONFLICT one that is being taken back.
 */
export function scheduleReversal(
  run: FeeRun,
  made: { feeRunId: string; triggeredBy: string; now: Date },
): { run: FeeRun; reversal: FeeRun } {
  const { feeRunId: resourceId, isDryRun, reversesRunId, reversedByRunId } = run
  if (isDryRun || reversesRunId !== null) {
    const detail = isDryRun ? 'A dry run charged nothing.' : 'A reversal is not taken back.'
    throw new Problem('FEE_RUN_NOT_REVERSIBLE', { detail, resourceId })
  }
  requireMove(feeRunMoves, run.status, 'reversed', resourceId)
  if (reversedByRunId !== null) {
    const detail = `${reversedByRunId} is taking it back.`
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

/** What the end of its reversal makes of a run: all of it was taken back, or some is left and it can be tried again. */
export function endReversal(run: FeeRun, isWhole: boolean, now: Date): FeeRun {
  if (!isWhole) return moved(run, { reversedByRunId: null }, now)
  requireMove(feeRunMoves, run.status, 'reversed', run.feeRunId)
  return moved(run, { status: 'reversed' }, now)
}

function moved(run: FeeRun, changes: Partial<FeeRun>, now: Date): FeeRun {
  return { ...run, ...changes, version: run.version + 1, updatedAt: now }
}

import type { FeeRun, FeeRunItem } from '../model/fee-run.ts'
import type { FeeRunStatus } from '../model/enumerations.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { endOf, type Period } from './fee-period.ts'

export const feeRunTransitions: Transitions<FeeRunStatus> = {
  scheduled: ['running'],
  running: ['completed', 'completed-with-errors', 'failed'],
  completed: ['reversed'],
  'completed-with-errors': ['reversed'],
  failed: ['running'],
  reversed: [],
}

/**
 * Two commands change the status to `running`: one starts a scheduled run, the other resumes a
 * failed run. Each of these tables leaves out the transition of the other command.
 */
const startTransitions: Transitions<FeeRunStatus> = { ...feeRunTransitions, failed: [] }
const resumeTransitions: Transitions<FeeRunStatus> = { ...feeRunTransitions, scheduled: [] }
/**
 * Between two pages of accounts, a run stays `running`. In this table, no other status changes to
 * `running`.
 */
const pageTransitions: Transitions<FeeRunStatus> = {
  ...startTransitions,
  scheduled: [],
  running: ['running'],
}

export type NewFeeRun = Pick<
  FeeRun,
  'feeRunId' | 'runType' | 'feeCode' | 'productId' | 'frequency' | 'isDryRun' | 'triggeredBy'
> & { period: Period; now: Date }

/** Creates a scheduled run. */
export function scheduleRun({ period, now, ...request }: NewFeeRun): FeeRun {
  const end = endOf(period)
  return {
    ...request,
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

/** Starts a scheduled run. Throws INVALID_STATE_TRANSITION. */
export function beginRun(run: FeeRun, now: Date): FeeRun {
  assertTransition(startTransitions, run.status, 'running', run.feeRunId)
  return updated(run, { status: 'running', startedAt: now }, now)
}

/** Resumes a failed run from its checkpoint. Throws INVALID_STATE_TRANSITION. */
export function resumeRun(run: FeeRun, now: Date): FeeRun {
  assertTransition(resumeTransitions, run.status, 'running', run.feeRunId)
  return updated(run, { status: 'running', failureCode: null }, now)
}

/** Marks a run that cannot continue as `failed`. Throws INVALID_STATE_TRANSITION. */
export function failRun(run: FeeRun, failureCode: ProblemCode, now: Date): FeeRun {
  assertTransition(feeRunTransitions, run.status, 'failed', run.feeRunId)
  return updated(run, { status: 'failed', failureCode }, now)
}

/** The maximum number of errors stored with a run. The items of the run contain all errors. */
export const maxErrors = 20

/**
 * Adds the items of one page of accounts to a run. `checkpoint` is the cursor of the next page;
 * null if there is no next page, in which case the run is completed.
 * Throws INVALID_STATE_TRANSITION.
 */
export function advanceRun(
  run: FeeRun,
  items: readonly FeeRunItem[],
  checkpoint: string | null,
  now: Date,
): FeeRun {
  const failures = items.filter(({ outcome }) => outcome === 'failed')
  const countOf = (...outcomes: FeeRunItem['outcome'][]) =>
    items.filter(({ outcome }) => outcomes.includes(outcome)).length
  const errors = failures.map(({ arrangementId, reason }) => ({ arrangementId, code: reason! }))
  const after = {
    selected: run.selected + items.length,
    charged: run.charged + countOf('charged', 'reversed'),
    waived: run.waived + countOf('waived'),
    skipped: run.skipped + countOf('skipped'),
    failed: run.failed + failures.length,
    totals: addTotals(run.totals, items),
    errors: [...run.errors, ...errors].slice(0, maxErrors),
    checkpoint: checkpoint ?? run.checkpoint,
  }
  if (checkpoint !== null) {
    assertTransition(pageTransitions, run.status, 'running', run.feeRunId)
    return updated(run, after, now)
  }
  const status = after.failed > 0 ? 'completed-with-errors' : 'completed'
  assertTransition(feeRunTransitions, run.status, status, run.feeRunId)
  return updated(run, { ...after, status, completedAt: now }, now)
}

function addTotals(totals: readonly Money[], items: readonly FeeRunItem[]): Money[] {
  const sums = new Map(totals.map(({ amountMinor, currency }) => [currency, amountMinor]))
  for (const { outcome, amountMinor, currency } of items) {
    if (amountMinor === null || (outcome !== 'charged' && outcome !== 'reversed')) continue
    const signedMinor = outcome === 'charged' ? amountMinor : -amountMinor
    sums.set(currency, (sums.get(currency) ?? 0n) + signedMinor)
  }
  return [...sums].map(([currency, amountMinor]) => ({ amountMinor, currency }))
}

/**
 * Schedules the reversal of a run and returns both runs. The original run keeps its status until
 * all its charges are reversed. Throws:
 * - FEE_RUN_NOT_REVERSIBLE if the run is a dry run or a reversal,
 * - INVALID_STATE_TRANSITION if the run has not completed or is already reversed,
 * - STATE_CONFLICT if the run is being reversed.
 */
export function scheduleReversal(
  run: FeeRun,
  request: { feeRunId: string; triggeredBy: string; now: Date },
): { run: FeeRun; reversal: FeeRun } {
  const { feeRunId: resourceId, isDryRun, reversesRunId, reversedByRunId } = run
  if (isDryRun || reversesRunId !== null) {
    const detail = isDryRun
      ? 'A dry run has no charges to reverse.'
      : 'A reversal cannot be reversed.'
    throw new Problem('FEE_RUN_NOT_REVERSIBLE', { detail, resourceId })
  }
  assertTransition(feeRunTransitions, run.status, 'reversed', resourceId)
  if (reversedByRunId !== null) {
    const detail = `${reversedByRunId} is already reversing the run.`
    const { status: currentState } = run
    throw new Problem('STATE_CONFLICT', { detail, resourceId, currentState, allowedStates: [] })
  }
  const { feeCode, productId, frequency, periodStart: start, periodEnd: end } = run
  const terms = { feeCode, productId, frequency, period: { start, end } }
  const scheduled = scheduleRun({ ...request, ...terms, runType: 'manual', isDryRun: false })
  return {
    run: updated(run, { reversedByRunId: request.feeRunId }, request.now),
    reversal: { ...scheduled, reversesRunId: resourceId },
  }
}

/**
 * Ends the reversal of a run. If all charges were reversed, the status becomes `reversed`.
 * Otherwise the status does not change, and the run can be reversed again.
 */
export function endReversal(run: FeeRun, isComplete: boolean, now: Date): FeeRun {
  if (!isComplete) return updated(run, { reversedByRunId: null }, now)
  assertTransition(feeRunTransitions, run.status, 'reversed', run.feeRunId)
  return updated(run, { status: 'reversed' }, now)
}

function updated(run: FeeRun, changes: Partial<FeeRun>, now: Date): FeeRun {
  return { ...run, ...changes, version: run.version + 1, updatedAt: now }
}

import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { isRetryable, type ProblemCode } from '../../../kernel/domain/problem.ts'
import { problemOf } from '../../../kernel/graph/errors.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { beginRun, failRun } from '../domain/fee-run.ts'
import { runEvent } from '../events.ts'
import {
  areRunsDueSql,
  findLatestRun,
  findRun,
  leaseRun,
  releaseRun,
  updateRun,
} from '../store/fee-run.ts'
import { chargePage } from '../commands/charge-page.ts'
import { reversePage } from '../commands/reverse-page.ts'
import type { FeeRun } from '../model/fee-run.ts'

/** The duration of the lease that a worker has while it processes a page, in milliseconds. */
export const leaseMs = 15_000

/**
 * Processes fee runs page by page, oldest run first. After a crash, processing continues from the
 * latest checkpoint.
 */
export const runFees: Worker = {
  name: 'operations.run-fees',
  nightlyPhase: 'fees',
  followsClock: true,
  purpose: 'Processes scheduled fee runs.',
  everyMs: dueFallbackMs,
  isDueSql: areRunsDueSql,
  wakeOn: ['pricing.fee-run.scheduled', 'pricing.fee-run.started'],
  async run(context: Context): Promise<number> {
    const leaseId = context.newId('event')
    const leasedRun = await leaseRun(context, leaseId, leaseMs)
    if (!leasedRun) return 0
    const isScheduled = leasedRun.status === 'scheduled'
    const run = isScheduled ? await startRun(context, leasedRun) : leasedRun
    if (run) await runPage(context, run, leaseId)
    return 1
  },
  async progress(context: Context) {
    const run = await findLatestRun(context)
    return run && { businessDate: run.runDate, done: run.selected, total: null }
  },
}

/**
 * Processes one page of a run. A transient error is retried from the checkpoint. After any other
 * error, the run fails, so that a bank employee can examine and resume it.
 */
async function runPage(context: Context, run: FeeRun, leaseId: string): Promise<void> {
  try {
    await (run.reversesRunId === null ? chargePage : reversePage)(context, run)
  } catch (error) {
    const { code } = problemOf(error, context.bank.log)
    if (!isRetryable(code)) return markFailed(context, run, code)
    await releaseRun(context, leaseId)
    throw error
  }
}

/** Starts a scheduled run and returns it; null if another worker has changed the run. */
function startRun(context: Context, { feeRunId, version }: FeeRun): Promise<FeeRun | null> {
  return command<FeeRun | null>(context, 'feeRun.started', { feeRunId }, async () => {
    const found = await findRun(context, feeRunId)
    if (found?.version !== version) return { result: null }
    const now = context.now()
    const run = beginRun(found, now)
    const writes = [updateRun(run, true)]
    return { result: run, writes, events: [runEvent(run, 'started')] }
  })
}

/** Marks a run as `failed`. Has no effect if another worker has changed the run. */
function markFailed(
  context: Context,
  { feeRunId, version }: FeeRun,
  code: ProblemCode,
): Promise<void> {
  return command<void>(context, 'feeRun.failed', { feeRunId }, async () => {
    const found = await findRun(context, feeRunId)
    if (found?.version !== version) return { result: undefined }
    const run = failRun(found, code, context.now())
    return { result: undefined, writes: [updateRun(run)], events: [runEvent(run, 'failed')] }
  })
}

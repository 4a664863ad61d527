import { command } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import type { ProblemCode } from '../../_kernel/domain/problem.ts'
import { isRetryable, problemOf } from '../../_kernel/graph/errors.ts'
import type { Worker } from '../../_kernel/worker.ts'
import { beginRun, failRun, type FeeRun } from '../domain/fee-run.ts'
import { tellRun } from '../fee-events.ts'
import { findLatestRun, findRun, freeRun, leaseRun, updateRun } from '../store/fee-run.ts'
import { chargePage } from './charge.ts'
import { takeBackPage } from './take-back.ts'

/** The lease of a fee run while a worker processes a page. */
export const leaseMs = 15_000

/**
 * Processes fee runs page by page, the oldest first. After a crash, it continues from the latest
 * checkpoint.
 */
export const runFees: Worker = {
  name: 'operations.run-fees',
  followsClock: true,
  purpose: 'Processes scheduled fee runs.',
  everyMs: 1000,
  wakeOn: ['pricing.fee-run.scheduled', 'pricing.fee-run.started'],
  async run(context: Context): Promise<number> {
    const leaseId = context.newId('event')
    const leased = await leaseRun(context, leaseId, leaseMs)
    if (!leased) return 0
    const run = leased.status === 'scheduled' ? await begin(context, leased) : leased
    if (run) await runPage(context, run, leaseId)
    return 1
  },
  async progress(context: Context) {
    const run = await findLatestRun(context)
    return run && { businessDate: run.runDate, done: run.selected, total: null }
  },
}

/**
 * Transient errors are retried from the checkpoint; any other error fails the run for a person to
 * examine.
 */
async function runPage(context: Context, run: FeeRun, leaseId: string): Promise<void> {
  try {
    await (run.reversesRunId === null ? chargePage : takeBackPage)(context, run)
  } catch (error) {
    const { code } = problemOf(error, context.bank.log)
    if (!isRetryable(code)) return fail(context, run, code)
    await freeRun(context, leaseId)
    throw error
  }
}

/** Null when another worker has started it. */
function begin(context: Context, { feeRunId, version }: FeeRun): Promise<FeeRun | null> {
  return command<FeeRun | null>(context, 'feeRun.started', { feeRunId }, async () => {
    const found = await findRun(context, feeRunId)
    if (found?.version !== version) return { result: null }
    const now = context.now()
    const run = beginRun(found, now)
    const writes = [updateRun(run, true)]
    return { result: run, writes, events: [tellRun(run, 'started')] }
  })
}

/** No change when another worker has continued it. */
function fail(context: Context, { feeRunId, version }: FeeRun, code: ProblemCode): Promise<void> {
  return command<void>(context, 'feeRun.failed', { feeRunId }, async () => {
    const found = await findRun(context, feeRunId)
    if (found?.version !== version) return { result: undefined }
    const run = failRun(found, code, context.now())
    return { result: undefined, writes: [updateRun(run)], events: [tellRun(run, 'failed')] }
  })
}

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

/** How long a worker has for a page before others take it for dead. */
export const leaseMs = 15_000

/** Carries out fee runs, the oldest first, page by page; after a crash from the last checkpoint on. */
export const runFees: Worker = {
  name: 'operations.run-fees',
  followsClock: true,
  purpose: 'Carries out fee runs.',
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

/** What passes by itself is tried again from the checkpoint; anything else is for a person to look at. */
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

/** Null when somebody else began it meanwhile. */
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

/** Unless somebody else went on with it meanwhile. */
function fail(context: Context, { feeRunId, version }: FeeRun, code: ProblemCode): Promise<void> {
  return command<void>(context, 'feeRun.failed', { feeRunId }, async () => {
    const found = await findRun(context, feeRunId)
    if (found?.version !== version) return { result: undefined }
    const run = failRun(found, code, context.now())
    return { result: undefined, writes: [updateRun(run)], events: [tellRun(run, 'failed')] }
  })
}

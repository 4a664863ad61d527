import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { isRetryable, type ProblemCode } from '../../../kernel/domain/problem.ts'
import { problemOf } from '../../../kernel/graph/errors.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { processPage } from '../commands/run-page.ts'
import { failRun, startRun } from '../domain/provisioning-run.ts'
import { Problem } from '../domain/problems.ts'
import { provisioningRunEvents } from '../events.ts'
import type { ProvisioningRun } from '../model/provisioning-run.ts'
import {
  areRunsDueSql,
  findLatestRun,
  leaseRun,
  provisioningRuns,
  releaseRun,
} from '../store/provisioning-run.ts'
import { findTableInEffect } from '../store/provisioning-table.ts'

/** How long a worker may take for a page before another takes over, in milliseconds. */
const leaseMs = 15_000

/**
 * Processes runs page by page, the oldest first. After a crash, processing continues from the last
 * checkpoint.
 */
export const runProvisioning: Worker = {
  name: 'provisioning.run',
  nightlyPhase: 'provisions',
  followsClock: true,
  purpose: 'Computes and books the expected credit losses of scheduled provisioning runs.',
  everyMs: dueFallbackMs,
  isDueSql: areRunsDueSql,
  wakeOn: ['provisioning.run.scheduled'],
  async run(context: Context): Promise<number> {
    const leaseId = context.newId('event')
    const leased = await leaseRun(context, leaseId, leaseMs)
    if (!leased) return 0
    try {
      const run = leased.status === 'scheduled' ? await start(context, leased) : leased
      if (run) await processPage(context, run)
    } catch (error) {
      const { code } = problemOf(error, context.bank.log)
      if (isRetryable(code)) throw error
      await markFailed(context, leased.provisioningRunId, code)
    } finally {
      await releaseRun(context, leaseId)
    }
    return 1
  },
  async progress(context: Context) {
    const run = await findLatestRun(context)
    return run && { businessDate: run.monthEnd, done: run.processed, total: null }
  },
}

/** Starts a scheduled run; returns null if another worker has changed it. */
function start(context: Context, leased: ProvisioningRun): Promise<ProvisioningRun | null> {
  const { provisioningRunId, version, monthEnd } = leased
  return command<ProvisioningRun | null>(
    context,
    'provisioningRun.started',
    { provisioningRunId },
    async () => {
      const before = await provisioningRuns.find(context, provisioningRunId)
      if (before?.version !== version) return { result: null }
      const table = await findTableInEffect(context, monthEnd)
      if (!table) {
        const detail = `No approved provisioning table is in effect on ${monthEnd}.`
        throw new Problem('PROVISIONING_TABLE_MISSING', { detail })
      }
      const started = startRun(before, table.provisioningTableId, context.now())
      const run = { ...started, version: version + 1 }
      return {
        result: run,
        writes: [provisioningRuns.update(before, run)],
        events: [provisioningRunEvents.event('provisioning.run.started', run)],
      }
    },
  )
}

/** Marks an unfinished run as failed, so that a person can examine and resume it. */
function markFailed(context: Context, provisioningRunId: string, code: ProblemCode): Promise<void> {
  return command<void>(context, 'provisioningRun.failed', { provisioningRunId }, async () => {
    const before = await provisioningRuns.find(context, provisioningRunId)
    if (before?.status !== 'scheduled' && before?.status !== 'running') return { result: undefined }
    const run = { ...failRun(before, code, context.now()), version: before.version + 1 }
    return {
      result: undefined,
      writes: [provisioningRuns.update(before, run)],
      events: [provisioningRunEvents.event('provisioning.run.failed', run)],
    }
  })
}

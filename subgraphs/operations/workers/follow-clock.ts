import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, type Worker } from '../../../kernel/work/worker.ts'
import { toJson } from '../../../kernel/writing/writes.ts'
import { CatchUpDocument } from '../queries.generated.ts'
import { withProgress, type BankProgress, type ClockAdvance } from '../domain/clock-advance.ts'
import { publishAdvance } from '../events.ts'
import {
  areAdvancesOpenSql,
  clockAdvanceTable,
  findOpenAdvances,
  readFollowedJobs,
} from '../store/clock-advance.ts'

/**
 * Tracks each move of the clock until the bank has caught up with it. The worker only records the
 * progress that areas and jobs report, so that any process can continue after a restart.
 */
export const followClock: Worker = {
  name: 'operations.follow-clock',
  purpose: 'Tracks a move of the clock until the bank has caught up with it.',
  everyMs: dueFallbackMs,
  isDueSql: areAdvancesOpenSql,
  wakeOn: ['operations.clock.advanced', 'lending.end-of-day.completed'],
  async run(context: Context): Promise<number> {
    const openAdvances = await findOpenAdvances(context)
    if (openAdvances.length === 0) return 0
    const progress = await readProgress(context)
    let completed = 0
    for (const { clockAdvanceId } of openAdvances) {
      const after = await follow(context, clockAdvanceId, progress)
      if (after?.status === 'completed') completed++
    }
    return completed
  },
}

async function readProgress(context: Context): Promise<BankProgress> {
  // The jobs must be read before the other figures, so that open work that a job leaves behind,
  // such as a fee run, is always seen.
  const jobs = await readFollowedJobs(context)
  const progress = await context.bank.queryGraph(CatchUpDocument, {})
  const { closedThrough, behind, failures } = progress.endOfDayPosition!
  const feeRuns = [progress.scheduledFeeRuns!, progress.runningFeeRuns!]
  const hasOpenFeeRuns = feeRuns.some(({ nodes }) => nodes.length > 0)
  return { closedThrough, behind, facilityFailures: failures, jobs, hasOpenFeeRuns }
}

function follow(
  context: Context,
  clockAdvanceId: string,
  progress: BankProgress,
): Promise<ClockAdvance | null> {
  return command(context, 'followClock', { clockAdvanceId }, async () => {
    const before = await clockAdvanceTable.find(context, clockAdvanceId)
    if (!before || before.status === 'completed') return { result: before }
    const now = context.now()
    const followedAdvance = withProgress(before, progress, now)
    if (toJson(followedAdvance) === toJson(before)) return { result: before }
    const after = { ...followedAdvance, version: before.version + 1, updatedAt: now }
    const isNewlySettled = after.status !== before.status && after.status !== 'running'
    return {
      result: after,
      resourceId: clockAdvanceId,
      writes: [clockAdvanceTable.update(before, after)],
      events: isNewlySettled ? [publishAdvance(after)] : [],
    }
  })
}

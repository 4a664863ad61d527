import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import type { Worker } from '../_kernel/worker.ts'
import { toJson } from '../_kernel/writes.ts'
import { EndOfDayPositionDocument } from './asks.generated.ts'
import { followAdvance, type BankProgress, type ClockAdvance } from './domain/clock-advance.ts'
import { publishAdvance } from './events.ts'
import {
  clockAdvanceTable,
  findOpenAdvances,
  hasOpenFeeRuns,
  readFollowingJobs,
} from './store/clock-advance.ts'

/**
 * Follows each move of the clock until the bank has caught up with it. It only reads what the areas and
 * jobs report and writes that down, so that it goes on after a restart, in whatever process.
 */
export const followClock: Worker = {
  name: 'operations.follow-clock',
  purpose: 'Follows a clock that was moved until the bank has caught up with it.',
  everyMs: 1000,
  wakeOn: ['operations.clock.advanced', 'lending.end-of-day.completed'],
  async run(context: Context): Promise<number> {
    const open = await findOpenAdvances(context)
    if (open.length === 0) return 0
    const progress = await readProgress(context)
    let completed = 0
    for (const { clockAdvanceId } of open) {
      const after = await follow(context, clockAdvanceId, progress)
      if (after?.status === 'completed') completed++
    }
    return completed
  },
}

async function readProgress(context: Context): Promise<BankProgress> {
  // The jobs first: what one of them left due is then seen.
  const jobs = await readFollowingJobs(context)
  const [{ endOfDayPosition }, isFeeRunOpen] = await Promise.all([
    context.bank.ask(EndOfDayPositionDocument, {}),
    hasOpenFeeRuns(context),
  ])
  const { closedThrough, behind, failures } = endOfDayPosition!
  return { closedThrough, behind, facilityFailures: failures, jobs, hasOpenFeeRuns: isFeeRunOpen }
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
    const decided = followAdvance(before, progress, now)
    if (toJson(decided) === toJson(before)) return { result: before }
    const after = { ...decided, version: before.version + 1, updatedAt: now }
    const isNews = after.status !== before.status && after.status !== 'running'
    return {
      result: after,
      resourceId: clockAdvanceId,
      writes: [clockAdvanceTable.update(before, after)],
      events: isNews ? [publishAdvance(after)] : [],
    }
  })
}

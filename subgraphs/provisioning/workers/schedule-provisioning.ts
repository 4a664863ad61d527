import type { Bank } from '../../../kernel/environment/bank.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { lastMonthEnd } from '../domain/month.ts'
import { scheduleRun } from '../domain/provisioning-run.ts'
import { provisioningRunEvents } from '../events.ts'
import { ClosedThroughDocument } from '../queries.generated.ts'
import { isScheduled, provisioningRuns } from '../store/provisioning-run.ts'
import { findTableInEffect } from '../store/provisioning-table.ts'

/** The last month for which this process knows that its run is scheduled. */
const scheduledFor = new WeakMap<Bank, LocalDate>()

/**
 * Schedules a run for the last month that has ended, once the end of day has closed it for every
 * facility and, if the table provides for overdrafts, the nightly job has derived every exposure.
 * Months before it are not made up for, because a run books the whole allowance.
 */
export const scheduleProvisioning: Worker = {
  name: 'provisioning.schedule',
  nightlyPhase: 'provisions',
  followsClock: true,
  purpose: 'Schedules the provisioning run of each month, after the end of day of its last day.',
  everyMs: 60_000,
  wakeOn: ['lending.end-of-day.completed', 'provisioning.table.approved'],
  async run(context: Context): Promise<number> {
    const monthEnd = lastMonthEnd(dateOf(context.now()))
    if (scheduledFor.get(context.bank) === monthEnd) return 0
    const scheduled = await command(context, 'scheduleProvisioning', { monthEnd }, async () => {
      if (await isScheduled(context, monthEnd)) return { result: 'before' as const }
      const table = await findTableInEffect(context, monthEnd)
      if (!table) return { result: 'not-yet' as const }
      const closed = await context.bank.queryGraph(ClosedThroughDocument, {})
      const { endOfDayPosition, overdraftExposurePosition } = closed
      const hasOverdrafts = table.segments.some(({ segment }) => segment === 'overdraft')
      // Null means that there are no overdrafts.
      const derivedThrough = overdraftExposurePosition!.derivedThrough ?? monthEnd
      if (
        endOfDayPosition!.closedThrough < monthEnd ||
        (hasOverdrafts && derivedThrough < monthEnd)
      ) {
        return { result: 'not-yet' as const }
      }
      const run = scheduleRun({
        provisioningRunId: context.newId('provisioningRun'),
        monthEnd,
        isDryRun: false,
        triggeredBy: 'schedule',
        now: context.now(),
      })
      return {
        result: 'now' as const,
        writes: [provisioningRuns.insert(run)],
        events: [provisioningRunEvents.event('provisioning.run.scheduled', run)],
      }
    })
    if (scheduled === 'before') scheduledFor.set(context.bank, monthEnd)
    return scheduled === 'now' ? 1 : 0
  },
}

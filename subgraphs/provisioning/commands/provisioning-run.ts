import { actorOf } from '../../../kernel/authorization/caller.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { requestedMonthEnd } from '../domain/month.ts'
import { Problem } from '../domain/problems.ts'
import { resumeRun, scheduleRun } from '../domain/provisioning-run.ts'
import { provisioningRunEvents } from '../events.ts'
import type { ProvisioningRun, StartProvisioningRunInput } from '../model/provisioning-run.ts'
import { provisioningRuns } from '../store/provisioning-run.ts'
import { findTableInEffect } from '../store/provisioning-table.ts'

/**
 * Schedules a run for a month that has ended. Facilities for which another run of the month has
 * booked are skipped, unless it is a dry run.
 * Throws NOT_FOR_DELEGATED_USERS, MONTH_END_INVALID and PROVISIONING_TABLE_MISSING.
 */
export function startProvisioningRun(
  context: Context,
  request: StartProvisioningRunInput,
): Promise<ProvisioningRun> {
  requireBank(context)
  return command(context, 'startProvisioningRun', request, async () => {
    const now = context.now()
    const monthEnd = requestedMonthEnd(request.monthEnd ?? null, dateOf(now))
    if (!(await findTableInEffect(context, monthEnd))) {
      const detail = `No approved provisioning table is in effect on ${monthEnd}.`
      throw new Problem('PROVISIONING_TABLE_MISSING', { detail })
    }
    const run = scheduleRun({
      provisioningRunId: context.newId('provisioningRun'),
      monthEnd,
      isDryRun: request.dryRun,
      triggeredBy: actorOf(context.caller),
      now,
    })
    return {
      result: run,
      resourceId: run.provisioningRunId,
      retainsKey: true,
      writes: [provisioningRuns.insert(run)],
      events: [provisioningRunEvents.event('provisioning.run.scheduled', run)],
    }
  })
}

/**
 * Schedules a failed run again, which continues from its checkpoint. Throws
 * NOT_FOR_DELEGATED_USERS, PROVISIONING_RUN_NOT_FOUND and INVALID_STATE_TRANSITION.
 */
export function resumeProvisioningRun(
  context: Context,
  provisioningRunId: string,
): Promise<ProvisioningRun> {
  requireBank(context)
  return command(context, 'resumeProvisioningRun', { provisioningRunId }, async () => {
    const before = await provisioningRuns.find(context, provisioningRunId)
    if (!before) throw new Problem('PROVISIONING_RUN_NOT_FOUND', { resourceId: provisioningRunId })
    const run = { ...resumeRun(before, context.now()), version: before.version + 1 }
    return {
      result: run,
      resourceId: provisioningRunId,
      writes: [provisioningRuns.update(before, run)],
      events: [provisioningRunEvents.event('provisioning.run.scheduled', run)],
    }
  })
}

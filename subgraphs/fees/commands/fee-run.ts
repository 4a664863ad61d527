import { actorOf } from '../../../kernel/authorization/caller.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import { isChargedByRuns, requestedPeriod } from '../domain/fee-period.ts'
import { resumeRun, scheduleReversal, scheduleRun } from '../domain/fee-run.ts'
import { runEvent } from '../events.ts'
import { findRun, insertRuns, updateRun } from '../store/fee-run.ts'
import { readProductFees, type VersionFees } from './product-fees.ts'
import type { FeeRun, StartFeeRunInput } from '../model/fee-run.ts'

/**
 * Schedules a run of a fee for one period; the default is the current period. Accounts already
 * charged for the period are skipped.
 * Throws NOT_FOR_DELEGATED_USERS, PRODUCT_NOT_FOUND, FEE_NOT_FOUND, FEE_PERIOD_INVALID.
 */
export function startFeeRun(context: Context, request: StartFeeRunInput): Promise<FeeRun> {
  requireBank(context)
  return command(context, 'startFeeRun', request, async () => {
    const { feeCode, productId, periodStart = null, dryRun: isDryRun } = request
    const versions = await readProductFees(context, productId)
    if (!versions) throw missingReference('PRODUCT_NOT_FOUND', productId, '/productId')
    const fee = feeOf(versions, feeCode)
    if (!fee) throw missingReference('FEE_NOT_FOUND', feeCode, '/feeCode')
    const now = context.now()
    const { frequency } = fee
    const run = scheduleRun({
      feeRunId: context.newId('feeRun'),
      runType: 'manual',
      feeCode,
      productId,
      frequency,
      period: requestedPeriod(frequency, periodStart, dateOf(now)),
      isDryRun,
      triggeredBy: actorOf(context.caller),
      now,
    })
    return {
      result: run,
      resourceId: run.feeRunId,
      retainsKey: true,
      writes: [insertRuns(run)],
      events: [runEvent(run, 'scheduled')],
    }
  })
}

/**
 * Returns the fee from the active product version or, if that version does not have the fee, from
 * the newest version that has it; undefined if no version has it, or no run charges it.
 */
function feeOf(versions: readonly VersionFees[], feeCode: string) {
  const activeVersions = versions.filter(({ status }) => status === 'active')
  return [...activeVersions, ...versions.toReversed()]
    .flatMap(({ fees }) => fees.filter(isChargedByRuns))
    .find(({ code }) => code === feeCode)
}

/**
 * Schedules a run that reverses all charges of another run.
 * Throws NOT_FOR_DELEGATED_USERS, FEE_RUN_NOT_FOUND, FEE_RUN_NOT_REVERSIBLE,
 * INVALID_STATE_TRANSITION, STATE_CONFLICT.
 */
export function reverseFeeRun(context: Context, feeRunId: string): Promise<FeeRun> {
  return changeRun(context, 'reverseFeeRun', feeRunId, (foundRun, now) => {
    const { clientId: triggeredBy } = context.caller
    const request = { feeRunId: context.newId('feeRun'), triggeredBy, now }
    const { run, reversal } = scheduleReversal(foundRun, request)
    return {
      result: reversal,
      resourceId: reversal.feeRunId,
      retainsKey: true,
      writes: [insertRuns(reversal), updateRun(run)],
      events: [runEvent(reversal, 'scheduled')],
    }
  })
}

/**
 * Resumes a failed run from its checkpoint.
 * Throws NOT_FOR_DELEGATED_USERS, FEE_RUN_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export function resumeFeeRun(context: Context, feeRunId: string): Promise<FeeRun> {
  return changeRun(context, 'resumeFeeRun', feeRunId, (foundRun, now) => {
    const run = resumeRun(foundRun, now)
    const events = [runEvent(run, 'started')]
    return { result: run, resourceId: feeRunId, writes: [updateRun(run)], events }
  })
}

function changeRun(
  context: Context,
  operation: string,
  feeRunId: string,
  decide: (run: FeeRun, now: Date) => Decision<FeeRun>,
): Promise<FeeRun> {
  requireBank(context)
  return command(context, operation, { feeRunId }, async () => {
    const run = await findRun(context, feeRunId)
    if (!run) throw new Problem('FEE_RUN_NOT_FOUND', { resourceId: feeRunId })
    return decide(run, context.now())
  })
}

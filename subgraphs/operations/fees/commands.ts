import { requireBank } from '../../_kernel/auth.ts'
import { command, type Decision } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import { dateOf, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { Fee } from '../../_kernel/domain/fee.ts'
import { missingReference, Problem } from '../../_kernel/domain/problem.ts'
import { periodAsked } from '../domain/fee-period.ts'
import { resumeRun, scheduleReversal, scheduleRun, type FeeRun } from '../domain/fee-run.ts'
import { tellRun } from '../fee-events.ts'
import { findRun, insertRuns, updateRun } from '../store/fee-run.ts'
import { readProductFees, type VersionFees } from './product-fees.ts'

export interface FeeRunAsked {
  feeCode: string
  productId: string
  periodStart?: LocalDate | null
  dryRun: boolean
}

/**
 * Schedules a run of a fee for one period, by default the current one. Accounts already charged for
 * the period are skipped.
 * Rejects with NOT_FOR_DELEGATED_USERS, PRODUCT_NOT_FOUND, FEE_NOT_FOUND, FEE_PERIOD_INVALID.
 */
export function startFeeRun(context: Context, asked: FeeRunAsked): Promise<FeeRun> {
  requireBank(context)
  return command(context, 'startFeeRun', asked, async () => {
    const { feeCode, productId, periodStart = null, dryRun: isDryRun } = asked
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
      period: periodAsked(frequency, periodStart, dateOf(now)),
      isDryRun,
      triggeredBy: context.caller.clientId,
      now,
    })
    return {
      result: run,
      resourceId: run.feeRunId,
      isKeyKept: true,
      writes: [insertRuns(run)],
      events: [tellRun(run, 'scheduled')],
    }
  })
}

/** The fee of the active version, otherwise of the newest version that has it. */
function feeOf(versions: readonly VersionFees[], feeCode: string): Fee | undefined {
  const active = versions.filter(({ status }) => status === 'active')
  return [...active, ...versions.toReversed()]
    .flatMap(({ fees }) => fees)
    .find(({ code }) => code === feeCode)
}

/**
 * Schedules a run that reverses all charges of another run.
 * Rejects with NOT_FOR_DELEGATED_USERS, FEE_RUN_NOT_FOUND, FEE_RUN_NOT_REVERSIBLE,
 * INVALID_STATE_TRANSITION, STATE_CONFLICT.
 */
export function reverseFeeRun(context: Context, feeRunId: string): Promise<FeeRun> {
  return changeRun(context, 'reverseFeeRun', feeRunId, (found, now) => {
    const { clientId: triggeredBy } = context.caller
    const made = { feeRunId: context.newId('feeRun'), triggeredBy, now }
    const { run, reversal } = scheduleReversal(found, made)
    return {
      result: reversal,
      resourceId: reversal.feeRunId,
      isKeyKept: true,
      writes: [insertRuns(reversal), updateRun(run)],
      events: [tellRun(reversal, 'scheduled')],
    }
  })
}

/**
 * Resumes a failed run from its checkpoint.
 * Rejects with NOT_FOR_DELEGATED_USERS, FEE_RUN_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export function resumeFeeRun(context: Context, feeRunId: string): Promise<FeeRun> {
  return changeRun(context, 'resumeFeeRun', feeRunId, (found, now) => {
    const run = resumeRun(found, now)
    const events = [tellRun(run, 'started')]
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

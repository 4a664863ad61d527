import type { Bank } from '../../../kernel/environment/bank.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { addDays, addMs, dateOf, minuteMs, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { endedPeriods, isChargedByRuns, type RunFrequency } from '../domain/fee-period.ts'
import { scheduleRun } from '../domain/fee-run.ts'
import { runEvent } from '../events.ts'
import { insertRuns, readLastPeriods } from '../store/fee-run.ts'
import { readFeesOfAllProducts, type VersionFees } from '../commands/product-fees.ts'
import type { FeeRun } from '../model/fee-run.ts'

/** The maximum number of runs scheduled in one commit. */
const maxRunsPerCommit = 100

/**
 * The time to wait after midnight before scheduling, in milliseconds. The last bookings of a day
 * can commit shortly after midnight, and an earlier run would miss them.
 */
export const settlementPauseMs = minuteMs

/** The last business date for which this process has scheduled all runs. */
const scheduledUpTo = new WeakMap<Bank, LocalDate>()

/**
 * Schedules fee runs for periods that have ended, for monthly, quarterly and yearly fees and for
 * fees charged per payment. One check per business date is enough, because a fee defined today has
 * no period that has ended.
 */
export const scheduleFeeRuns: Worker = {
  name: 'operations.schedule-fee-runs',
  nightlyPhase: 'fees',
  followsClock: true,
  purpose: 'Schedules fee runs for periods that have ended.',
  everyMs: 60_000,
  async run(context: Context): Promise<number> {
    const today = dateOf(addMs(context.now(), -settlementPauseMs))
    if (scheduledUpTo.get(context.bank) === today) return 0
    const scheduledCount = await command(context, 'scheduleFeeRuns', { today }, async () => {
      const runs = await dueRuns(context, today)
      const events = runs.map((run) => runEvent(run, 'scheduled'))
      return { result: runs.length, writes: runs.length > 0 ? [insertRuns(...runs)] : [], events }
    })
    if (scheduledCount === 0) scheduledUpTo.set(context.bank, today)
    return scheduledCount
  },
}

async function dueRuns(context: Context, today: LocalDate): Promise<FeeRun[]> {
  const now = context.now()
  const [products, lastPeriods] = await Promise.all([
    readFeesOfAllProducts(context),
    readLastPeriods(context),
  ])
  const keyOf = (productId: string, feeCode: string, frequency: string) =>
    JSON.stringify([productId, feeCode, frequency])
  const lastEnds = new Map(
    lastPeriods.map(({ productId, feeCode, frequency, end }) => [
      keyOf(productId, feeCode, frequency),
      end,
    ]),
  )
  const runs: FeeRun[] = []
  for (const { productId, versions } of products) {
    for (const { feeCode, frequency, since } of automaticFees(versions)) {
      const end = lastEnds.get(keyOf(productId, feeCode, frequency))
      const start = end === undefined ? since : addDays(end, 1)
      const maxPeriods = maxRunsPerCommit - runs.length
      for (const period of endedPeriods(frequency, start, today, maxPeriods)) {
        const runType = frequency === 'per-event' ? 'event' : 'periodic'
        const feeRunId = context.newId('feeRun')
        const request = { feeRunId, runType, feeCode, productId, frequency, period, now } as const
        runs.push(scheduleRun({ ...request, isDryRun: false, triggeredBy: 'schedule' }))
      }
    }
  }
  return runs
}

interface AutomaticFee {
  feeCode: string
  frequency: RunFrequency
  since: LocalDate
}

/**
 * Returns the fees for which runs are scheduled automatically. `since` is the creation date of the
 * first version with the fee, not counting drafts and withdrawn versions.
 */
function automaticFees(versions: readonly VersionFees[]): AutomaticFee[] {
  const feesByKey = new Map<string, AutomaticFee>()
  for (const { status, createdOn: since, fees } of versions) {
    if (status === 'draft' || status === 'withdrawn') continue
    for (const { code: feeCode, frequency } of fees.filter(isChargedByRuns)) {
      const key = JSON.stringify([feeCode, frequency])
      const existing = feesByKey.get(key)
      if (frequency === 'upfront' || (existing && existing.since <= since)) continue
      feesByKey.set(key, { feeCode, frequency, since })
    }
  }
  return [...feesByKey.values()]
}

import type { Bank } from '../../_kernel/bank.ts'
import { command } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import { addDays, addMs, dateOf, minuteMs, type LocalDate } from '../../_kernel/domain/dates.ts'
import type { FeeFrequency } from '../../_kernel/domain/fee.ts'
import type { Worker } from '../../_kernel/worker.ts'
import { endedPeriods } from '../domain/fee-period.ts'
import { scheduleRun, type FeeRun } from '../domain/fee-run.ts'
import { tellRun } from '../fee-events.ts'
import { insertRuns, readLastPeriods } from '../store/fee-run.ts'
import { readEveryProductFees, type VersionFees } from './product-fees.ts'

/** The maximum number of runs scheduled in one commit. */
const mostAtOnce = 100

/**
 * The margin after midnight within which the last bookings of a day commit. An earlier run would
 * miss them.
 */
export const settlingMs = minuteMs

/** The business date up to which this process has scheduled everything. */
const scheduledUpTo = new WeakMap<Bank, LocalDate>()

/**
 * Schedules fee runs for periods that have ended: monthly, quarterly and yearly fees, and fees
 * charged per payment. It runs once per business date; a fee defined today has no earlier periods.
 */
export const scheduleFeeRuns: Worker = {
  name: 'operations.schedule-fee-runs',
  followsClock: true,
  purpose: 'Schedules fee runs for periods that have ended.',
  everyMs: 10_000,
  async run(context: Context): Promise<number> {
    const today = dateOf(addMs(context.now(), -settlingMs))
    if (scheduledUpTo.get(context.bank) === today) return 0
    const scheduled = await command(context, 'scheduleFeeRuns', { today }, async () => {
      const due = await dueRuns(context, today)
      const events = due.map((run) => tellRun(run, 'scheduled'))
      return { result: due.length, writes: due.length > 0 ? [insertRuns(...due)] : [], events }
    })
    if (scheduled === 0) scheduledUpTo.set(context.bank, today)
    return scheduled
  },
}

async function dueRuns(context: Context, today: LocalDate): Promise<FeeRun[]> {
  const now = context.now()
  const [products, last] = await Promise.all([
    readEveryProductFees(context),
    readLastPeriods(context),
  ])
  const keyOf = (productId: string, feeCode: string, frequency: string) =>
    JSON.stringify([productId, feeCode, frequency])
  const ends = new Map(
    last.map(({ productId, feeCode, frequency, end }) => [
      keyOf(productId, feeCode, frequency),
      end,
    ]),
  )
  const due: FeeRun[] = []
  for (const { productId, versions } of products) {
    for (const { feeCode, frequency, since } of chargedByThemselves(versions)) {
      const end = ends.get(keyOf(productId, feeCode, frequency))
      const from = end === undefined ? since : addDays(end, 1)
      for (const period of endedPeriods(frequency, from, today, mostAtOnce - due.length)) {
        const runType = frequency === 'per-event' ? 'event' : 'periodic'
        const feeRunId = context.newId('feeRun')
        const of = { feeRunId, runType, feeCode, productId, frequency, period, now } as const
        due.push(scheduleRun({ ...of, isDryRun: false, triggeredBy: 'schedule' }))
      }
    }
  }
  return due
}

interface Charged {
  feeCode: string
  frequency: FeeFrequency
  since: LocalDate
}

/** The fees of a product that are scheduled automatically, and the day from which they are. */
function chargedByThemselves(versions: readonly VersionFees[]): Charged[] {
  const charged = new Map<string, Charged>()
  for (const { status, createdOn: since, fees } of versions) {
    if (status === 'draft' || status === 'withdrawn') continue
    for (const { code: feeCode, frequency } of fees) {
      const key = JSON.stringify([feeCode, frequency])
      const known = charged.get(key)
      if (frequency === 'upfront' || (known && known.since <= since)) continue
      charged.set(key, { feeCode, frequency, since })
    }
  }
  return [...charged.values()]
}

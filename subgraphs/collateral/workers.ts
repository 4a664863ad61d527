import { command } from '../_kernel/command.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { publish } from '../_kernel/records.ts'
import type { Worker } from '../_kernel/worker.ts'
import { settleCoverages } from './coverage.ts'
import { lapse } from './domain/acts.ts'
import { withNextLapse } from './domain/collateral.ts'
import { lapseEvents } from './events.ts'
import { collateralKind, findLapsed } from './store/collateral.ts'
import { findUnsettled } from './store/coverage.ts'

const batchSize = 50

/** Reports expired perfections and insurances, and revaluations that are due; each once. */
export const watchLapses: Worker = {
  name: 'collateral.watch-lapses',
  followsClock: true,
  purpose: 'Reports expired perfections and insurances, and revaluations that are due.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'collateral.watch-lapses', {}, async () => {
      const now = context.now()
      const found = await findLapsed(context, dateOf(now), batchSize)
      const changes = found.flatMap((before) => {
        const lapsed = lapse(before, dateOf(now))
        if (!lapsed) return []
        const next = withNextLapse(lapsed.collateral)
        const after = { ...next, version: before.version + 1, updatedAt: now }
        const events = lapsed.news.flatMap(
          (each) => publish(collateralKind, after, lapseEvents[each]).events,
        )
        return [{ write: collateralKind.update(before, after), events }]
      })
      return {
        result: changes.length,
        writes: changes.map(({ write }) => write),
        events: changes.flatMap(({ events }) => events),
      }
    }),
}

/**
 * Emits margin calls for facilities whose outstanding balance outgrew their coverage, and their
 * end.
 */
export const watchCoverage: Worker = {
  name: 'collateral.watch-coverage',
  purpose: 'Emits margin calls for facilities with insufficient coverage, and their end.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'collateral.watch-coverage', {}, async () => {
      const facilityIds = await findUnsettled(context, batchSize)
      if (facilityIds.length === 0) return { result: 0 }
      const change = await settleCoverages(context, facilityIds)
      return { result: change.writes.length, ...change }
    }),
}

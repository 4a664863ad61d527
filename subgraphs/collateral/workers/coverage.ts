import { command } from '../../../kernel/writing/command.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import { updateShortfalls } from '../commands/coverage.ts'
import { reportLapses } from '../domain/actions.ts'
import { withNextLapse } from '../domain/collateral.ts'
import { lapseEvents } from '../events.ts'
import { collateralKind, findLapsed } from '../store/collateral.ts'
import { findChangedShortfalls } from '../store/coverage.ts'

const batchSize = 50

/** Reports expired perfections, expired insurance policies and due revaluations, each once. */
export const watchLapses: Worker = {
  name: 'collateral.watch-lapses',
  nightlyPhase: 'validity',
  followsClock: true,
  purpose: 'Reports expired perfections, expired insurance policies and due revaluations.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'collateral.watch-lapses', {}, async () => {
      const now = context.now()
      const candidates = await findLapsed(context, dateOf(now), batchSize)
      const changes = candidates.flatMap((before) => {
        const lapseReport = reportLapses(before, dateOf(now))
        if (!lapseReport) return []
        const next = withNextLapse(lapseReport.collateral)
        const after = { ...next, version: before.version + 1, updatedAt: now }
        const events = lapseReport.news.flatMap(
          (each) => publicationOf(collateralKind, after, lapseEvents[each]).events,
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
 * Emits a margin call when the required coverage of a facility grows beyond its actual coverage,
 * and an event when the coverage is sufficient again.
 */
export const watchCoverage: Worker = {
  name: 'collateral.watch-coverage',
  purpose: 'Starts and ends margin calls when the required coverage of facilities changes.',
  everyMs: 60_000,
  run: (context) =>
    command(context, 'collateral.watch-coverage', {}, async () => {
      const facilityIds = await findChangedShortfalls(context, batchSize)
      if (facilityIds.length === 0) return { result: 0 }
      const change = await updateShortfalls(context, facilityIds)
      return { result: change.writes.length, ...change }
    }),
}

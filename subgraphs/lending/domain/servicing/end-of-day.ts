import type { EndOfDayRun } from '../../model/servicing/end-of-day.ts'
import type { LocalDate } from '../../../../kernel/domain/dates.ts'

/** Returns a new run; `total` is the number of facilities in it. */
export function startRun(businessDate: LocalDate, total: number, now: Date): EndOfDayRun {
  return { businessDate, total, done: 0, startedAt: now, completedAt: null, version: 1 }
}

/** Updates a run after a batch. The last batch completes it. */
export function advanceRun(
  run: EndOfDayRun,
  processed: number,
  isLast: boolean,
  now: Date,
): EndOfDayRun {
  return { ...run, done: run.done + processed, completedAt: isLast ? now : null }
}

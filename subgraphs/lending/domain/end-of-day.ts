import type { LocalDate } from '../../_kernel/domain/dates.ts'

/** The end of a business day. Where each facility is says itself; this says how many are through. */
export interface EndOfDayRun {
  businessDate: LocalDate
  total: number
  done: number
  startedAt: Date
  completedAt: Date | null
  version: number
}

/** A run that begins with so many facilities before it. */
export function startRun(businessDate: LocalDate, total: number, now: Date): EndOfDayRun {
  return { businessDate, total, done: 0, startedAt: now, completedAt: null, version: 1 }
}

/** The run after a batch; with the last it is complete. */
export function advanceRun(
  run: EndOfDayRun,
  closed: number,
  isLast: boolean,
  now: Date,
): EndOfDayRun {
  return { ...run, done: run.done + closed, completedAt: isLast ? now : null }
}

import { addMs, dayMs } from '../../_kernel/domain/dates.ts'
import { rulesOf, type CaseType } from './case-type.ts'

/**
 * The time left to resolve a case. A running clock has a due time; a paused one keeps the remaining
 * time.
 */
export interface Clock {
  /** Null while paused. */
  dueAt: Date | null
  /** The time left when the clock was last started or paused; negative if overdue. */
  remainingSeconds: number
  /** When the case becomes at risk; null while paused, or if that was already reported. */
  warnAt: Date | null
  /** When the breach was detected. Kept for good. */
  breachedAt: Date | null
}

/** Starts a clock with the full time of a case type. */
export function startClock(caseType: CaseType, now: Date): Clock {
  const remainingSeconds = (rulesOf[caseType].days * dayMs) / 1000
  return runClock({ dueAt: null, remainingSeconds, warnAt: null, breachedAt: null }, caseType, now)
}

/** Restarts a paused clock with the remaining time. A running clock is unchanged. */
export function runClock(clock: Clock, caseType: CaseType, now: Date): Clock {
  if (clock.dueAt !== null) return clock
  const warnMs = rulesOf[caseType].warnDays * dayMs
  const dueAt = addMs(now, clock.remainingSeconds * 1000)
  // With less time left than the warning period, the warning was already given.
  const isWarned = clock.breachedAt !== null || clock.remainingSeconds * 1000 <= warnMs
  return { ...clock, dueAt, warnAt: isWarned ? null : addMs(dueAt, -warnMs) }
}

/** Pauses a clock. */
export function stopClock(clock: Clock, now: Date): Clock {
  if (clock.dueAt === null) return clock
  const remainingSeconds = Math.floor((clock.dueAt.getTime() - now.getTime()) / 1000)
  return { ...clock, dueAt: null, warnAt: null, remainingSeconds }
}

/** The alarm that is due and was not reported yet; null if there is none. */
export function alarmOf(clock: Clock, now: Date): 'breached' | 'at-risk' | null {
  const { dueAt, warnAt, breachedAt } = clock
  if (dueAt !== null && dueAt <= now && breachedAt === null) return 'breached'
  return warnAt !== null && warnAt <= now ? 'at-risk' : null
}

/** Marks an alarm as reported. */
export function acknowledge(clock: Clock, alarm: 'breached' | 'at-risk', now: Date): Clock {
  return { ...clock, warnAt: null, breachedAt: alarm === 'breached' ? now : clock.breachedAt }
}

import type { CaseType } from '../model/enumerations.ts'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import { rulesOf } from './case-type.ts'

/**
 * The time left to resolve a case. A running clock has a deadline. A paused clock stores the
 * remaining time instead.
 */
export interface Clock {
  /** The deadline; null while the clock is paused. */
  dueAt: Date | null
  /** The time left when the clock was last started or paused; negative if overdue. */
  remainingSeconds: number
  /**
   * When to report the case as at risk. Null while the clock is paused, after the case was reported
   * as at risk or overdue, and if the clock was restarted within the warning period.
   */
  warnAt: Date | null
  /** When it was first detected that the deadline was missed. Never cleared. */
  breachedAt: Date | null
}

/** Returns a running clock with the full time of a case type. */
export function startClock(caseType: CaseType, now: Date): Clock {
  const remainingSeconds = (rulesOf[caseType].days * dayMs) / 1000
  return runClock({ dueAt: null, remainingSeconds, warnAt: null, breachedAt: null }, caseType, now)
}

/**
 * Restarts a paused clock with its remaining time. A clock that is already running is returned
 * unchanged.
 */
export function runClock(clock: Clock, caseType: CaseType, now: Date): Clock {
  if (clock.dueAt !== null) return clock
  const warnMs = rulesOf[caseType].warnDays * dayMs
  const dueAt = addMs(now, clock.remainingSeconds * 1000)
  // Within the warning period, or once the case was overdue, it is too late for a warning.
  const isPastWarning = clock.breachedAt !== null || clock.remainingSeconds * 1000 <= warnMs
  return { ...clock, dueAt, warnAt: isPastWarning ? null : addMs(dueAt, -warnMs) }
}

/** Pauses a running clock. A clock that is already paused is returned unchanged. */
export function stopClock(clock: Clock, now: Date): Clock {
  if (clock.dueAt === null) return clock
  const remainingSeconds = Math.floor((clock.dueAt.getTime() - now.getTime()) / 1000)
  return { ...clock, dueAt: null, warnAt: null, remainingSeconds }
}

/** Returns the alarm that is due and was not reported yet; null if there is none. */
export function alarmOf(clock: Clock, now: Date): 'breached' | 'at-risk' | null {
  const { dueAt, warnAt, breachedAt } = clock
  if (dueAt !== null && dueAt <= now && breachedAt === null) return 'breached'
  return warnAt !== null && warnAt <= now ? 'at-risk' : null
}

/** Marks an alarm as reported. */
export function acknowledge(clock: Clock, alarm: 'breached' | 'at-risk', now: Date): Clock {
  return { ...clock, warnAt: null, breachedAt: alarm === 'breached' ? now : clock.breachedAt }
}

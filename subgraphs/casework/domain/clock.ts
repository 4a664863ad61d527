import { addMs, dayMs } from '../../_kernel/domain/dates.ts'
import { rulesOf, type CaseType } from './case-type.ts'

/** How long the bank still has. It runs towards `dueAt`, or stands with what was left. */
export interface Clock {
  /** null while it stands. */
  dueAt: Date | null
  /** What was left when it was last started or stopped; less than 0 when it was late. */
  remainingSeconds: number
  /** When somebody is to be warned; null when it stands, or that was done. */
  warnAt: Date | null
  /** When the time was over with the matter open; it stays, whatever comes after. */
  breachedAt: Date | null
}

/** A clock with all the time of a type of case. */
export function startClock(caseType: CaseType, now: Date): Clock {
  const remainingSeconds = (rulesOf[caseType].days * dayMs) / 1000
  return runClock({ dueAt: null, remainingSeconds, warnAt: null, breachedAt: null }, caseType, now)
}

/** Lets a clock run on with what is left. One that runs stays as it is. */
export function runClock(clock: Clock, caseType: CaseType, now: Date): Clock {
  if (clock.dueAt !== null) return clock
  const warnMs = rulesOf[caseType].warnDays * dayMs
  const dueAt = addMs(now, clock.remainingSeconds * 1000)
  // Whoever had less than that left was warned before.
  const isWarned = clock.breachedAt !== null || clock.remainingSeconds * 1000 <= warnMs
  return { ...clock, dueAt, warnAt: isWarned ? null : addMs(dueAt, -warnMs) }
}

/** Stops a clock; the time that passes from now on is not the bank's. */
export function stopClock(clock: Clock, now: Date): Clock {
  if (clock.dueAt === null) return clock
  const remainingSeconds = Math.floor((clock.dueAt.getTime() - now.getTime()) / 1000)
  return { ...clock, dueAt: null, warnAt: null, remainingSeconds }
}

/** What a clock has come to that was not told yet. */
export function alarmOf(clock: Clock, now: Date): 'breached' | 'at-risk' | null {
  const { dueAt, warnAt, breachedAt } = clock
  if (dueAt !== null && dueAt <= now && breachedAt === null) return 'breached'
  return warnAt !== null && warnAt <= now ? 'at-risk' : null
}

/** A clock whose alarm has been told. */
export function acknowledge(clock: Clock, alarm: 'breached' | 'at-risk', now: Date): Clock {
  return { ...clock, warnAt: null, breachedAt: alarm === 'breached' ? now : clock.breachedAt }
}

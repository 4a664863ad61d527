import { addMs, dateOf, isLocalDate, parseDateTime } from '../kernel/domain/dates.ts'
import { fullExamples, type Examples } from './examples.ts'
import { firstRequests } from './first-requests.ts'

/** The time of day and the instant at which the examples were written. */
const writtenTime = 'T09:30:00.000Z'
const writtenAt = new Date(`2026-11-21${writtenTime}`)

/**
 * Returns the examples by operation, with all dates and times shifted as if they were written at
 * `now`.
 */
export function examplesAt(now: Date): Readonly<Record<string, Examples>> {
  const examples = { ...fullExamples, ...firstRequests }
  return shiftDates(examples, now.getTime() - writtenAt.getTime()) as Record<string, Examples>
}

function shiftDates(value: unknown, byMs: number): unknown {
  if (Array.isArray(value)) return value.map((each) => shiftDates(each, byMs))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, shiftDates(each, byMs)]),
    )
  }
  if (typeof value !== 'string') return value
  if (isLocalDate(value)) return dateOf(addMs(new Date(`${value}${writtenTime}`), byMs))
  const instant = parseDateTime(value)
  return instant ? addMs(instant, byMs).toISOString() : value
}

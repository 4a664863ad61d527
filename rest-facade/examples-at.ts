import { addMs, dateOf, isLocalDate, parseDateTime } from '../subgraphs/_kernel/domain/dates.ts'
import { fullExamples, type Examples } from './examples.ts'
import { firstRequests } from './first-requests.ts'

/** The instant that the examples are written for: this time of their first day. */
const writtenTime = 'T09:30:00.000Z'
const writtenAt = new Date(`2026-11-21${writtenTime}`)

/** The examples by operation, with their days and instants moved to `now`: what is sent as it is shown is not of the past. */
export function examplesAt(now: Date): Readonly<Record<string, Examples>> {
  const examples = { ...fullExamples, ...firstRequests }
  return moved(examples, now.getTime() - writtenAt.getTime()) as Record<string, Examples>
}

function moved(value: unknown, byMs: number): unknown {
  if (Array.isArray(value)) return value.map((each) => moved(each, byMs))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, moved(each, byMs)]),
    )
  }
  if (typeof value !== 'string') return value
  if (isLocalDate(value)) return dateOf(addMs(new Date(`${value}${writtenTime}`), byMs))
  const instant = parseDateTime(value)
  return instant ? addMs(instant, byMs).toISOString() : value
}

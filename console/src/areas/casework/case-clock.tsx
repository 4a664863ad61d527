import { Badge } from '@mantine/core'
import { formatDistance, formatSpan } from '../../parts/format.ts'
import { Time } from '../../parts/values.tsx'
import type { ClockPartsFragment } from './queries.generated.ts'

const daySeconds = 24 * 3600

/** How much of the time to resolve a case is left, and whether the time is running. */
export function CaseClock({ clock }: { clock: ClockPartsFragment }) {
  const { color, text } = lookOf(clock)
  return (
    <Badge variant="light" color={color} className="state">
      {text}
    </Badge>
  )
}

function lookOf({ isRunning, remainingSeconds }: ClockPartsFragment) {
  if (!isRunning) {
    const left = remainingSeconds > 0 ? `${formatSpan(remainingSeconds)} left` : 'overdue'
    return { color: 'gray', text: `Paused, ${left}` }
  }
  if (remainingSeconds <= 0) {
    return { color: 'red', text: `Overdue, due ${formatDistance(remainingSeconds)}` }
  }
  const color = remainingSeconds < daySeconds ? 'yellow' : 'teal'
  return { color, text: `Due ${formatDistance(remainingSeconds)}` }
}

/** The deadline of a case in words: `Nov 30, 2026, 9:00 AM`, or why there is none. */
export function Deadline({ clock: { dueAt, isRunning } }: { clock: ClockPartsFragment }) {
  return isRunning && dueAt ? <Time value={dueAt} /> : 'The time is paused.'
}

import { addDays, type LocalDate } from '../../_kernel/domain/dates.ts'

export const flowKinds = ['payment', 'standing-order', 'authorisation'] as const
export type FlowKind = (typeof flowKinds)[number]

/** Days a position looks ahead at most. */
export const mostDays = 90

/** Money that is expected to enter or leave the nostro on a day. */
export interface Flow {
  kind: FlowKind
  direction: 'in' | 'out'
  date: LocalDate
  amountMinor: bigint
}

/** A day of a projection: what is expected, and what the nostro holds at its end. */
export interface ProjectedDay {
  date: LocalDate
  inflowMinor: bigint
  outflowMinor: bigint
  nostroMinor: bigint
  flows: { kind: FlowKind; direction: 'in' | 'out'; amountMinor: bigint }[]
}

/**
 * What the nostro comes to day by day. What was expected before the first day counts on it: it is
 * late, not gone. What is expected after the last day is left out.
 */
export function project(
  nostroMinor: bigint,
  flows: readonly Flow[],
  today: LocalDate,
  days: number,
): ProjectedDay[] {
  let balance = nostroMinor
  return Array.from({ length: days }, (_, day) => {
    const date = addDays(today, day)
    const ofDay = flows.filter((flow) => (flow.date < today ? day === 0 : flow.date === date))
    const sumOf = (direction: Flow['direction']) =>
      ofDay
        .filter((flow) => flow.direction === direction)
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    const [inflowMinor, outflowMinor] = [sumOf('in'), sumOf('out')]
    balance += inflowMinor - outflowMinor
    return { date, inflowMinor, outflowMinor, nostroMinor: balance, flows: byKind(ofDay) }
  })
}

function byKind(flows: readonly Flow[]): ProjectedDay['flows'] {
  const sums = new Map<string, ProjectedDay['flows'][number]>()
  for (const { kind, direction, amountMinor } of flows) {
    const key = `${direction} ${kind}`
    const known = sums.get(key)
    if (known) known.amountMinor += amountMinor
    else sums.set(key, { kind, direction, amountMinor })
  }
  return [...sums.values()]
}

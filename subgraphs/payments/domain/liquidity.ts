import type { FlowKind } from '../model/enumerations.ts'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'

/** The maximum number of days in a projection. */
export const maxDays = 90

/** Money that is expected to enter or leave the nostro on a day. */
export interface Flow {
  kind: FlowKind
  direction: 'in' | 'out'
  date: LocalDate
  amountMinor: bigint
}

/** The expected flows of a day and the projected nostro balance at the end of the day. */
export interface ProjectedDay {
  date: LocalDate
  inflowMinor: bigint
  outflowMinor: bigint
  nostroMinor: bigint
  flows: { kind: FlowKind; direction: 'in' | 'out'; amountMinor: bigint }[]
}

/**
 * Projects the balance of the nostro day by day. Overdue flows count on the first day. Flows after
 * the last day are ignored.
 */
export function projectNostro(
  nostroMinor: bigint,
  flows: readonly Flow[],
  today: LocalDate,
  days: number,
): ProjectedDay[] {
  const byDate = new Map<LocalDate, Flow[]>()
  for (const flow of flows) {
    const date = flow.date < today ? today : flow.date
    const flowsOfDate = byDate.get(date)
    if (flowsOfDate) flowsOfDate.push(flow)
    else byDate.set(date, [flow])
  }
  let balance = nostroMinor
  return Array.from({ length: days }, (_, dayIndex) => {
    const date = addDays(today, dayIndex)
    const flowsOfDay = byDate.get(date) ?? []
    const sumOf = (direction: Flow['direction']) =>
      flowsOfDay
        .filter((flow) => flow.direction === direction)
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    const [inflowMinor, outflowMinor] = [sumOf('in'), sumOf('out')]
    balance += inflowMinor - outflowMinor
    return { date, inflowMinor, outflowMinor, nostroMinor: balance, flows: sumByKind(flowsOfDay) }
  })
}

function sumByKind(flows: readonly Flow[]): ProjectedDay['flows'] {
  const sums = new Map<string, ProjectedDay['flows'][number]>()
  for (const { kind, direction, amountMinor } of flows) {
    const key = `${direction} ${kind}`
    const sum = sums.get(key)
    if (sum) sum.amountMinor += amountMinor
    else sums.set(key, { kind, direction, amountMinor })
  }
  return [...sums.values()]
}

import { declareEvents, type Told } from '../_kernel/events.ts'
import { instant, record, whole } from '../_kernel/event-data.ts'

const moveData = record({ from: instant, to: instant, aheadMs: whole })

export const clockEvents = declareEvents(
  {
    'operations.clock.advanced': 'The clock of the sandbox was moved forward.',
  },
  moveData,
)

/** A move of the clock, as the log keeps it. */
export interface ClockMove {
  from: Date
  to: Date
  aheadMs: number
  version: number
}

export function tellAdvanced({ from, to, aheadMs, version }: ClockMove): Told {
  const type: keyof typeof clockEvents = 'operations.clock.advanced'
  return { type, subject: 'clock/sandbox', version, data: { from, to, aheadMs }, parties: [] }
}

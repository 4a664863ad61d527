import type { EventBatch } from '../../kernel/events/event-ring.ts'
import type { EventHeader } from '../../kernel/events/events.ts'

/** A batch of successive events. */
export const batchOf = (...events: EventHeader[]): EventBatch => ({
  after: { position: events[0]!.position - 1n, eventId: `evt_${events[0]!.position - 1n}` },
  events,
})

/** The event at a position. */
export const news = (position: bigint): EventHeader => ({
  position,
  eventId: `evt_${position}`,
  type: 'parties.party.created',
  subject: `party/pty_${position}`,
  parties: [`pty_${position}`],
  correlationId: 'test',
})

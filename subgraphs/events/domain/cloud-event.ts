/** The parts of an event that are sent. */
export interface SentEvent {
  position: bigint
  eventId: string
  type: string
  subject: string
  sequence: number
  time: Date
  data: Record<string, unknown>
  correlationId: string
  causationId: string | null
  actor: string
}

/**
 * An event as CloudEvents 1.0 in structured mode. Extension names are lower case without
 * separators, and large numbers are text, as CloudEvents requires.
 */
export function toCloudEvent(event: SentEvent, isFull: boolean): Record<string, unknown> {
  return {
    specversion: '1.0',
    id: event.eventId,
    source: `/banking/${event.type.slice(0, event.type.indexOf('.'))}`,
    type: event.type,
    subject: event.subject,
    time: event.time.toISOString(),
    datacontenttype: 'application/json',
    sequence: String(event.sequence),
    position: String(event.position),
    correlationid: event.correlationId,
    ...(event.causationId !== null && { causationid: event.causationId }),
    actor: event.actor,
    ...(isFull && { data: event.data }),
  }
}

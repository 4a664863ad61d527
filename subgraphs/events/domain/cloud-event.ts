/** The properties of an event that are sent to an endpoint. */
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
 * Returns an event in the CloudEvents 1.0 format, in structured mode. As CloudEvents requires,
 * extension names are lower case without separators, and large numbers are strings. The event
 * data is included only if `isFull` is true.
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

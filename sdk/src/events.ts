import type { GraphCaller } from './graph.ts'
import { BankProblem } from './problem.ts'
import { delayAfter, isWorthRetrying, wait } from './retries.ts'
import type { Streams, StreamTransport } from './streams.ts'

/** A business event. */
export interface BankEvent {
  /** The ID of the event, the same in all deliveries. */
  eventId: string
  /** The type, such as `parties.party.created`. `/events` lists all types. */
  type: string
  /** The record that the event is about, as `<entity>/<id>`. */
  subjectId: string
  /** When the event occurred, in UTC. */
  time: string
  /** The position in the event log. Positions have no gaps, but you may not see all events. */
  position: string
  /** The number among the events of the subject, starting at 1 without gaps. */
  sequence: number
  /** A snapshot of the record at the time of the event. Its members depend on `type`. */
  data: Record<string, unknown>
  correlationId: string
  causationId: string | null
  /** Who caused the event; null for a customer's token, unless it was the customer's party. */
  actor: string | null
}

/** Which events to receive, and how. */
export interface EventOptions {
  /** Exact types, `<area>.*`, or `*`. Default: all types. */
  types?: readonly string[]
  /** Only events about this record, as `<entity>/<id>`. */
  subject?: string
  /** The position of the last event that you received. Default: only new events. */
  after?: string
  /**
   * The ID of the event at the position `after`; ignored without it. If a failover lost this event, the iteration ends
   * with POSITION_NOT_IN_LOG instead of continuing after another event at its position.
   */
  afterEventId?: string
  /** Default: `http`, which passes every proxy. */
  over?: StreamTransport
  /** Ends the iteration. */
  signal?: AbortSignal
  /** Called when the connection was lost, before the next attempt. */
  onInterruption?: (error: unknown) => void
}

const document = `subscription Events($types: [String!], $subject: String, $after: String, $afterEventId: ID) {
  businessEvents(types: $types, subject: $subject, after: $after, afterEventId: $afterEventId) {
    eventId type subjectId time position sequence data correlationId causationId actor
  }
}`

/**
 * Returns events in the order of the event log, until the signal is aborted. After a lost
 * connection, it resumes behind the last event, so that no event is missing or repeated. Throws a
 * `BankProblem` if the bank rejects the subscription for good: with POSITION_NOT_IN_LOG if a failover
 * of the bank lost the last event, so that you have to go back to an earlier one.
 */
export async function* followEvents(
  streams: Streams,
  graph: GraphCaller,
  { types, subject, after, afterEventId, over = 'http', signal, onInterruption }: EventOptions,
): AsyncGenerator<BankEvent, void> {
  // Without a position, events between a lost connection and the next one would be missed.
  const last = after
    ? { after, afterEventId }
    : { after: await endOfLog(graph, signal), afterEventId: undefined }
  let failures = 0
  while (!signal?.aborted) {
    try {
      const variables = { types, subject, ...last }
      for await (const data of streams.open(document, variables, over, signal)) {
        const event = data['businessEvents'] as BankEvent
        failures = 0
        last.after = event.position
        last.afterEventId = event.eventId
        yield event
      }
      throw new Error('The bank ended the stream.')
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof BankProblem && !isWorthRetrying(error) && !isExpiry(error)) throw error
      onInterruption?.(error)
      failures++
      await wait(delayAfter(failures, error), signal).catch(() => undefined)
    }
  }
}

async function endOfLog(graph: GraphCaller, signal?: AbortSignal): Promise<string | undefined> {
  await graph.call('query EndOfLog { environment { name } }', {}, { ...(signal && { signal }) })
  return graph.position ?? undefined
}

/** The token expired while the stream was open: the next attempt uses a new one. */
const isExpiry = ({ code }: BankProblem): boolean =>
  code === 'TOKEN_EXPIRED' || code === 'TOKEN_INVALID'

import type { Caller } from '../kernel/authorization/caller.ts'
import type { EventLog } from '../kernel/events/event-log.ts'
import { cursorOf, type LogCursor } from '../kernel/events/event-ring.ts'
import type { EventHeader } from '../kernel/events/events.ts'
import { receives, type Subscription } from './subscriptions.ts'

/** The maximum size of one write to a client, unless a single message is larger. */
const maxBytesAtOnce = 64 * 1024

/** An event, serialized with the fields that a subscription selects. */
export interface Message {
  place: LogCursor
  body: Buffer
}

/**
 * Resolves the events that match the subscription, and returns them as serialized messages. Events
 * that a failover lost are omitted.
 */
export async function createMessages(
  { losses }: EventLog,
  subscription: Subscription,
  caller: Caller,
  events: readonly EventHeader[],
): Promise<Message[]> {
  const matching = events.filter((event) => receives(subscription, caller, event))
  const messages = await Promise.all(
    matching.map(async (event) => {
      const body = await subscription.serializeEvent(event, caller).catch((error: unknown) => {
        if (losses.has(event)) return null
        throw error
      })
      return body && { place: cursorOf(event), body }
    }),
  )
  return messages.filter((message) => message !== null)
}

/** Splits messages into batches, each of which is sent in one write. */
export function batchesOf(messages: readonly Message[]): Message[][] {
  const batches: Message[][] = []
  let bytes = Infinity
  for (const message of messages) {
    if (bytes + message.body.length > maxBytesAtOnce) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)!.push(message)
    bytes += message.body.length
  }
  return batches
}

/** Returns the bodies of messages, in the same order. */
export function bodiesOf(messages: readonly Message[]): Buffer[] {
  return messages.map(({ body }) => body)
}

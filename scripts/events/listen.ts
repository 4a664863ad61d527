import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret, signedHeaders } from '../../kernel/events/webhook-signature.ts'
import { toCloudEvent, type SentEvent } from '../../subgraphs/events/domain/cloud-event.ts'
import { RejectedError, type ServerClient } from './server.ts'

export interface ListenOptions {
  /** The URL to which each event is posted, like a webhook; null if events are only printed. */
  forwardTo: string | null
  /** The event types to print; null for all types. */
  types: readonly string[] | null
  /** The position after which to resume; null to start with new events. */
  after: string | null
  /** The number of events after which to stop. */
  count: number
  /** The secret that signs forwarded events; null to generate one. */
  secret: string | null
  print(line: string): void
  note(line: string): void
}

const document = `subscription ($types: [String!], $after: String) {
  businessEvents(types: $types, after: $after) {
    eventId type subjectId time position sequence data correlationId causationId actor
  }
}`
const retryMs = 1000
const timeoutMs = 10_000

/**
 * Prints each event when it is committed, one per line, and posts it, signed, to `forwardTo`. After
 * a lost connection, resumes after the last printed event. Throws RejectedError if the server
 * rejects the request.
 */
export async function listen(server: ServerClient, options: ListenOptions): Promise<void> {
  const secret = options.secret ?? newSecret()
  if (options.forwardTo) options.note(`forwarding to ${options.forwardTo}, signed with ${secret}`)
  let { after } = options
  for (let receivedCount = 0; receivedCount < options.count;) {
    try {
      const variables = { types: options.types, after }
      for await (const { data, errors } of server.subscribe(document, variables)) {
        if (errors?.length) throw new RejectedError(errors[0]!.message)
        const event = eventOf(data!['businessEvents'] as ReceivedEvent)
        options.print(await lineOf(event, options.forwardTo, secret))
        after = String(event.position)
        receivedCount++
        if (receivedCount >= options.count) return
      }
    } catch (error) {
      if (error instanceof RejectedError) throw error
      options.note(`${(error as Error).message}; reconnecting`)
    }
    await sleep(retryMs)
  }
}

type ReceivedEvent = Omit<SentEvent, 'position' | 'subject' | 'time'> & {
  position: string
  subjectId: string
  time: string
}

function eventOf({ position, subjectId, time, ...rest }: ReceivedEvent): SentEvent {
  return { ...rest, position: BigInt(position), subject: subjectId, time: new Date(time) }
}

async function lineOf(event: SentEvent, url: string | null, secret: string): Promise<string> {
  const line = `${event.position} ${event.time.toISOString()} ${event.type} ${event.subject}`
  return url === null ? line : `${line} -> ${await forward(event, url, secret)}`
}

/**
 * Posts an event in the same form as the bank's webhook delivery. Returns the status or the error.
 */
async function forward(event: SentEvent, url: string, secret: string): Promise<string> {
  const startedAt = performance.now()
  const body = JSON.stringify(toCloudEvent(event, true))
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    ...signedHeaders([secret], event.eventId, new Date(), body),
  }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return `${response.status} (${Math.round(performance.now() - startedAt)} ms)`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return cause?.code ?? message
  }
}

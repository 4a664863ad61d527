import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret, signedHeaders } from '../../subgraphs/_kernel/webhook-signature.ts'
import { toCloudEvent, type SentEvent } from '../../subgraphs/events/domain/cloud-event.ts'
import { Refused, type Server } from './server.ts'

export interface ListenOptions {
  /** Where each event is posted, as a webhook would be; null only prints them. */
  forwardTo: string | null
  types: readonly string[] | null
  /** The position to go on from; null is now. */
  after: string | null
  /** How many events to hear. */
  count: number
  /** Signs what is forwarded; a new one when null. */
  secret: string | null
  print(line: string): void
  note(line: string): void
}

const document = `subscription ($types: [String!], $after: String) {
  businessEvents(types: $types, after: $after) {
    eventId type subjectId time position sequence data correlationId causationId actor
  }
}`
const againMs = 1000
const answerMs = 10_000

/**
 * Prints each event as it is committed, one line each, and forwards it signed. When the connection
 * is lost it goes on after the last event it heard, so that nothing is missed. Throws what the
 * server refuses.
 */
export async function listen(server: Server, options: ListenOptions): Promise<void> {
  const secret = options.secret ?? newSecret()
  if (options.forwardTo) options.note(`forwarding to ${options.forwardTo}, signed with ${secret}`)
  let { after } = options
  for (let heard = 0; heard < options.count;) {
    try {
      const variables = { types: options.types, after }
      for await (const { data, errors } of server.subscribe(document, variables)) {
        if (errors?.length) throw new Refused(errors[0]!.message)
        const event = eventOf(data!['businessEvents'] as Heard)
        options.print(await lineOf(event, options.forwardTo, secret))
        after = String(event.position)
        heard++
        if (heard >= options.count) return
      }
    } catch (error) {
      if (error instanceof Refused) throw error
      options.note(`${(error as Error).message}; trying again`)
    }
    await sleep(againMs)
  }
}

type Heard = Omit<SentEvent, 'position' | 'subject' | 'time'> & {
  position: string
  subjectId: string
  time: string
}

function eventOf({ position, subjectId, time, ...rest }: Heard): SentEvent {
  return { ...rest, position: BigInt(position), subject: subjectId, time: new Date(time) }
}

async function lineOf(event: SentEvent, to: string | null, secret: string): Promise<string> {
  const line = `${event.position} ${event.time.toISOString()} ${event.type} ${event.subject}`
  return to === null ? line : `${line} -> ${await forward(event, to, secret)}`
}

/** Posts an event as the bank's own deliverer would. Answers what came back, in a few words. */
async function forward(event: SentEvent, to: string, secret: string): Promise<string> {
  const started = performance.now()
  const body = JSON.stringify(toCloudEvent(event, true))
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    ...signedHeaders([secret], event.eventId, new Date(), body),
  }
  try {
    const signal = AbortSignal.timeout(answerMs)
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return `${answer.status} (${Math.round(performance.now() - started)} ms)`
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return cause?.code ?? message
  }
}

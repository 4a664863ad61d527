import { signWebhook, type BankEvent } from '../src/index.ts'

/** What became of a delivery to a program on this machine. */
export interface Forwarded {
  /** The status code of the response; null if there was none. */
  status: number | null
  durationMs: number
  /** Why there was no response; null if there was one. */
  error: string | null
}

const timeoutMs = 10_000

/** Posts an event in the form of the bank's webhook deliveries: a signed CloudEvent. */
export async function forward(event: BankEvent, url: string, secret: string): Promise<Forwarded> {
  const startedAt = performance.now()
  const body = JSON.stringify(cloudEventOf(event))
  const signed = await signWebhook({ id: event.eventId, body, secret })
  const headers = { 'content-type': 'application/cloudevents+json; charset=utf-8', ...signed }
  const durationMs = () => Math.round(performance.now() - startedAt)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return { status: response.status, durationMs: durationMs(), error: null }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return { status: null, durationMs: durationMs(), error: cause?.code ?? message }
  }
}

/** Returns an event as the bank sends it to endpoints (CloudEvents 1.0, structured mode). */
function cloudEventOf(event: BankEvent): object {
  return {
    specversion: '1.0',
    id: event.eventId,
    source: `/banking/${event.type.split('.')[0]}`,
    type: event.type,
    subject: event.subjectId,
    time: event.time,
    datacontenttype: 'application/json',
    sequence: String(event.sequence),
    position: event.position,
    correlationid: event.correlationId,
    ...(event.causationId !== null && { causationid: event.causationId }),
    ...(event.actor !== null && { actor: event.actor }),
    data: event.data,
  }
}

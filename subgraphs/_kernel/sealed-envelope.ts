import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Envelope } from './envelope.ts'

/** To whom a sealed request is addressed. */
export interface Addressee {
  environment: string
  subgraph: string
}

/** The longest anybody waits for a subgraph. */
export const mostWaitMs = 10_000
/** How far the clocks of two machines may be apart. */
const skewMs = 5000

const names = {
  environment: 'bankgraph-environment',
  seal: 'bankgraph-seal',
  deadline: 'bankgraph-deadline',
  authorization: 'authorization',
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  idempotencyKey: 'idempotency-key',
} as const

/**
 * The key that seals what this platform's own processes send each other in one environment, from
 * that environment's secret: who has it is one of us. It serves nothing else (RFC 5869).
 */
export function sealingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'bankgraph sealed envelope', 32))
}

/** The headers that carry an envelope to a subgraph, sealed together with the body they go with. */
export function sealEnvelope(
  key: Buffer,
  to: Addressee,
  envelope: Envelope,
  body: Buffer,
): Record<string, string> {
  const { authorization, requestId, traceparent, idempotencyKey, deadlineMs } = envelope
  return {
    [names.environment]: to.environment,
    [names.seal]: sealOf(key, to, envelope, body).toString('base64url'),
    [names.deadline]: String(deadlineMs),
    [names.requestId]: requestId,
    ...(authorization !== undefined && { [names.authorization]: authorization }),
    ...(traceparent !== undefined && { [names.traceparent]: traceparent }),
    ...(idempotencyKey !== undefined && { [names.idempotencyKey]: idempotencyKey }),
  }
}

/** The environment a sealed request says it is for; believed only once the envelope is opened. */
export function environmentOf(headers: IncomingHttpHeaders): string | undefined {
  const { [names.environment]: environment, [names.seal]: seal } = headers
  return typeof environment === 'string' && typeof seal === 'string' ? environment : undefined
}

/**
 * The envelope of a request whose seal is whole. Null for everything else: no seal, another key,
 * another addressee, anything changed, or a deadline that is over or further away than anybody waits.
 */
export function openEnvelope(
  key: Buffer,
  to: Addressee,
  headers: IncomingHttpHeaders,
  body: Buffer,
  nowMs: number,
): Envelope | null {
  const text = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const envelope: Envelope = {
    authorization: text(names.authorization),
    requestId: text(names.requestId) ?? '',
    traceparent: text(names.traceparent),
    idempotencyKey: text(names.idempotencyKey),
    deadlineMs: Number(text(names.deadline)),
  }
  const { deadlineMs } = envelope
  if (!(deadlineMs > nowMs - skewMs && deadlineMs <= nowMs + mostWaitMs + skewMs)) return null
  const seal = Buffer.from(text(names.seal) ?? '', 'base64url')
  const expected = sealOf(key, to, envelope, body)
  return seal.length === expected.length && timingSafeEqual(seal, expected) ? envelope : null
}

function sealOf(
  key: Buffer,
  { environment, subgraph }: Addressee,
  envelope: Envelope,
  body: Buffer,
) {
  const { authorization, requestId, traceparent, idempotencyKey, deadlineMs } = envelope
  const sealed = [
    environment,
    subgraph,
    authorization ?? null,
    requestId,
    traceparent ?? null,
    idempotencyKey ?? null,
    deadlineMs,
  ]
  // JSON has no raw line feed, so where the envelope ends and the body starts is never in doubt.
  return createHmac('sha256', key)
    .update(`${JSON.stringify(sealed)}\n`)
    .update(body)
    .digest()
}

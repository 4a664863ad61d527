import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Envelope } from './envelope.ts'
import { derivedKeys, type DerivedKeys, type KeyRing } from './key-ring.ts'

/** The environment and the subgraph to which a signed request is sent. */
export interface Addressee {
  environment: string
  subgraph: string
}

/** The maximum time that the gateway waits for a subgraph. */
export const maxWaitMs = 10_000
/** The tolerated difference between the clocks of two machines. */
const skewMs = 5000

const headerNames = {
  environment: 'bankgraph-environment',
  signature: 'bankgraph-seal',
  deadline: 'bankgraph-deadline',
  authorization: 'authorization',
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  idempotencyKey: 'idempotency-key',
  happenedAt: 'bankgraph-happened-at',
  replicaPosition: 'bankgraph-replica-position',
} as const

/**
 * Derives a signing key from the secret of an environment (HKDF, RFC 5869). The key signs only
 * requests between the processes of this platform in that environment.
 */
export function signingKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'bankgraph sealed envelope', 32))
}

/** Derives the keys of an environment that sign requests between processes. */
export const signingKeys = (ring: KeyRing): DerivedKeys<Buffer> => derivedKeys(ring, signingKey)

/**
 * Returns the HTTP headers for an envelope, including a signature over the envelope and the body.
 */
export function signEnvelope(
  key: Buffer,
  addressee: Addressee,
  envelope: Envelope,
  body: Buffer,
): Record<string, string> {
  const { authorization, requestId, traceparent, idempotencyKey, deadlineMs } = envelope
  const { happenedAt, replicaPosition } = envelope
  return {
    [headerNames.environment]: addressee.environment,
    [headerNames.signature]: signatureOf(key, addressee, envelope, body).toString('base64url'),
    [headerNames.deadline]: String(deadlineMs),
    [headerNames.requestId]: requestId,
    ...(authorization !== undefined && { [headerNames.authorization]: authorization }),
    ...(traceparent !== undefined && { [headerNames.traceparent]: traceparent }),
    ...(idempotencyKey !== undefined && { [headerNames.idempotencyKey]: idempotencyKey }),
    ...(happenedAt !== undefined && { [headerNames.happenedAt]: String(happenedAt.getTime()) }),
    ...(replicaPosition !== undefined && {
      [headerNames.replicaPosition]: replicaPosition.toString(),
    }),
  }
}

/**
 * Returns the environment in the headers of a signed request; undefined if the request is not
 * signed. Do not trust the value until the signature is verified.
 */
export function environmentOf(headers: IncomingHttpHeaders): string | undefined {
  const { [headerNames.environment]: environment, [headerNames.signature]: signature } = headers
  return typeof environment === 'string' && typeof signature === 'string' ? environment : undefined
}

/**
 * Returns the envelope of a signed request. Returns null if the signature is missing or of none of
 * the keys, if
 * the request is addressed to another environment or subgraph, or if the deadline has passed or is
 * too far ahead.
 */
export function verifyEnvelope(
  keys: readonly Buffer[],
  addressee: Addressee,
  headers: IncomingHttpHeaders,
  body: Buffer,
  nowMs: number,
): Envelope | null {
  const text = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const happenedAt = text(headerNames.happenedAt)
  const replicaPosition = text(headerNames.replicaPosition)
  const envelope: Envelope = {
    authorization: text(headerNames.authorization),
    requestId: text(headerNames.requestId) ?? '',
    traceparent: text(headerNames.traceparent),
    idempotencyKey: text(headerNames.idempotencyKey),
    deadlineMs: Number(text(headerNames.deadline)),
    ...(happenedAt !== undefined && { happenedAt: new Date(Number(happenedAt)) }),
    ...(/^\d{1,19}$/.test(replicaPosition ?? '') && { replicaPosition: BigInt(replicaPosition!) }),
  }
  const { deadlineMs } = envelope
  if (!(deadlineMs > nowMs - skewMs && deadlineMs <= nowMs + maxWaitMs + skewMs)) return null
  const signature = Buffer.from(text(headerNames.signature) ?? '', 'base64url')
  const isSigned = keys.some((key) => {
    const expected = signatureOf(key, addressee, envelope, body)
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  })
  return isSigned ? envelope : null
}

function signatureOf(
  key: Buffer,
  { environment, subgraph }: Addressee,
  envelope: Envelope,
  body: Buffer,
) {
  const { authorization, requestId, traceparent, idempotencyKey, deadlineMs } = envelope
  const { happenedAt, replicaPosition } = envelope
  const signedValues = [
    environment,
    subgraph,
    authorization ?? null,
    requestId,
    traceparent ?? null,
    idempotencyKey ?? null,
    deadlineMs,
    // What is undefined is left out rather than null, so that processes of the previous release
    // accept the signature.
    ...(happenedAt === undefined ? [] : [happenedAt.getTime()]),
    ...(replicaPosition === undefined ? [] : [`replica ${replicaPosition}`]),
  ]
  // `JSON.stringify` escapes line feeds, so the first one marks the end of the envelope
  // unambiguously.
  return createHmac('sha256', key)
    .update(`${JSON.stringify(signedValues)}\n`)
    .update(body)
    .digest()
}

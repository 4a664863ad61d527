import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { bankCaller } from '../kernel/authorization/auth.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Caller } from '../kernel/authorization/caller.ts'
import { createContext, type Context } from '../kernel/environment/context.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { currentTraceparent, traceIdOf } from '../kernel/telemetry/tracing.ts'
import { isProven, provenRequestOf } from './proofs.ts'
import { recordRejection } from './refusals.ts'
import { countAddress, countClient } from './rate-limits.ts'

const maxRequestMs = 10_000
const visibleAscii = /^[!-~]{1,80}$/

/** The requests whose token the gateway itself added. */
const heldTokens = new WeakSet<FastifyRequest>()

/**
 * Makes a request one with a token that the gateway holds for a person. Nobody else sent the token,
 * so no proof of possession is needed.
 */
export function useHeldToken(request: FastifyRequest, authorization: string): void {
  request.headers.authorization = authorization
  heldTokens.add(request)
}

/**
 * Returns the caller that the request's `Authorization` header identifies. Throws whatever the
 * token verifier throws, with the proof of possession of the request. Throws RATE_LIMITED for a client that sends too many requests, and for an
 * IP address that sends too many invalid tokens.
 */
export function callerOf(bank: Bank, request: FastifyRequest): Caller | Promise<Caller> {
  const { authorization } = request.headers
  const admit = (caller: Caller) => {
    countClient(bank, request, caller)
    return caller
  }
  const reject = (error: unknown) => rejectToken(bank, request, request.raw, error)
  const isCertificateUsed = bank.config.clientCertificateHeader !== null
  const caller = verifyOrReject(reject, () =>
    heldTokens.has(request)
      ? bank.verifier.verifyWithoutProof(authorization)
      : bank.verifier.verify(
          hasAtMostOneAuthorization(request) ? authorization : [authorization!, authorization!],
          isCertificateUsed || isProven(request) ? provenRequestOf(bank, request) : undefined,
        ),
  )
  return caller instanceof Promise ? caller.catch(reject).then(admit) : admit(caller)
}

/**
 * Records a rejected token in the audit log. If its status is 401, also counts it against the rate
 * limit of the sender's IP address. For a WebSocket, `request` is null and `raw` is the upgrade
 * request that opened the socket. Throws `error`, or RATE_LIMITED.
 */
export function rejectToken(
  bank: Bank,
  request: FastifyRequest | null,
  raw: IncomingMessage,
  error: unknown,
): never {
  // Asking for a nonce is part of the protocol.
  if (error instanceof Problem && error.code === 'DPOP_NONCE_REQUIRED') throw error
  recordRejection(bank, request, null, error)
  if (error instanceof Problem && error.status === 401) countAddress(bank, request, raw)
  throw error
}

function verifyOrReject(reject: (error: unknown) => never, verify: () => Caller | Promise<Caller>) {
  try {
    return verify()
  } catch (error) {
    return reject(error)
  }
}

/**
 * Whether the request has at most one `Authorization` header. Node keeps only the first one in
 * `headers`.
 */
function hasAtMostOneAuthorization({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++
  }
  return count <= 1
}

/** The caller of a request that only reads the schema, for which no token is needed. */
export const anonymous: Caller = {
  ...bankCaller,
  clientId: 'anonymous',
  subject: 'anonymous',
  scopes: new Set(),
}

/**
 * Returns the idempotency key of a request; undefined if it has none. Throws
 * IDEMPOTENCY_KEY_INVALID.
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  return requireKey(key)
}

/**
 * Returns the key if it has 1 to 80 visible ASCII characters. Otherwise throws
 * IDEMPOTENCY_KEY_INVALID.
 */
export function requireKey(key: unknown): string {
  if (typeof key === 'string' && visibleAscii.test(key)) return key
  const detail = 'The idempotency key must be 1 to 80 visible ASCII characters.'
  throw new Problem('IDEMPOTENCY_KEY_INVALID', {
    errors: [{ header: 'Idempotency-Key', code: 'IDEMPOTENCY_KEY_INVALID', detail }],
  })
}

/** Returns the trace that a client names; a header that is not valid names none. */
function traceparentIn({ headers }: FastifyRequest): string | undefined {
  const { traceparent } = headers
  return traceIdOf(traceparent) === undefined ? undefined : (traceparent as string)
}

/** Creates the context of an HTTP request, with the envelope that subgraphs receive. */
export function contextOf(
  bank: Bank,
  request: FastifyRequest,
  caller: Caller,
  idempotencyKey: string | undefined,
): Context {
  const envelope = {
    authorization: request.headers.authorization,
    requestId: request.id,
    traceparent: currentTraceparent() ?? traceparentIn(request),
    idempotencyKey,
    deadlineMs: Date.now() + maxRequestMs,
    ...(bank.isReplica && { replicaPosition: bank.readPosition() }),
  }
  return createContext(bank, caller, envelope, () => request.raw.socket.destroyed)
}

import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { bankCaller } from '../subgraphs/_kernel/auth.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import { createContext, type Context } from '../subgraphs/_kernel/context.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { noteAtDoor } from './refusals.ts'
import { countAddress, countClient } from './rate-limits.ts'

const requestMs = 10_000
const visibleAscii = /^[!-~]{1,80}$/

/**
 * Who calls, from the request's one `Authorization` header. Refuses as the verifier does, and with
 * RATE_LIMITED a client that asks too often, or an address that shows no good token too often.
 */
export function callerOf(bank: Bank, request: FastifyRequest): Caller | Promise<Caller> {
  const { authorization } = request.headers
  const admit = (caller: Caller) => {
    countClient(bank, request, caller)
    return caller
  }
  const refuse = (error: unknown) => refuseToken(bank, request, request.raw, error)
  const caller = verifiedOr(refuse, () =>
    bank.verifier.verify(isSentOnce(request) ? authorization : [authorization!, authorization!]),
  )
  return caller instanceof Promise ? caller.catch(refuse).then(admit) : admit(caller)
}

/**
 * Notes why a token is not good and counts it for the address that showed it; over a socket there is
 * only the request it was opened with. Throws what it was refused with, or RATE_LIMITED.
 */
export function refuseToken(
  bank: Bank,
  request: FastifyRequest | null,
  raw: IncomingMessage,
  error: unknown,
): never {
  noteAtDoor(bank, request, null, error)
  if (error instanceof Problem && error.status === 401) countAddress(bank, request, raw)
  throw error
}

function verifiedOr(refuse: (error: unknown) => never, verify: () => Caller | Promise<Caller>) {
  try {
    return verify()
  } catch (error) {
    return refuse(error)
  }
}

/** Node keeps only the first of two such headers in `headers`, and two are one too many. */
function isSentOnce({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let sent = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') sent++
  }
  return sent <= 1
}

/** Somebody without a token: may read the schema, nothing else. */
export const anonymous: Caller = {
  ...bankCaller,
  clientId: 'anonymous',
  subject: 'anonymous',
  scopes: new Set(),
}

/**
 * The idempotency key of a request, when it has one.
 * Refuses with IDEMPOTENCY_KEY_INVALID: empty, over 80 characters, or outside visible ASCII.
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  return requireKey(key)
}

/** Promises a key of 1 to 80 visible ASCII characters. Refuses with IDEMPOTENCY_KEY_INVALID. */
export function requireKey(key: unknown): string {
  if (typeof key === 'string' && visibleAscii.test(key)) return key
  const detail = '1 to 80 visible ASCII characters.'
  throw new Problem('IDEMPOTENCY_KEY_INVALID', {
    errors: [{ header: 'Idempotency-Key', code: 'IDEMPOTENCY_KEY_INVALID', detail }],
  })
}

/** The context of an HTTP request, with what travels on to the subgraphs. */
export function contextOf(
  bank: Bank,
  request: FastifyRequest,
  caller: Caller,
  idempotencyKey: string | undefined,
): Context {
  const envelope = {
    authorization: request.headers.authorization,
    requestId: request.id,
    traceparent: request.headers['traceparent'] as string | undefined,
    idempotencyKey,
    deadlineMs: Date.now() + requestMs,
  }
  return createContext(bank, caller, envelope, () => request.raw.socket.destroyed)
}

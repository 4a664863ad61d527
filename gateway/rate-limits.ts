import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { callerKey, type Caller } from '../kernel/authorization/caller.ts'
import type { RateLimit } from '../kernel/environment/config.ts'
import { Problem } from '../kernel/domain/problem.ts'
import { addressOf } from './address.ts'
import { recordRejection } from './refusals.ts'

/** The state of a rate limit after a request was counted. */
export interface LimitState {
  isAllowed: boolean
  remaining: number
  /** The time until the full burst is available again. */
  resetSeconds: number
  /** The time until the next request is allowed; 0 if it is allowed now. */
  retryAfterSeconds: number
}

const maxCached = 50_000

/**
 * Limits requests per key, such as a client or an IP address, to a rate per second with a burst.
 * For each key it stores only the time at which the token bucket will be full again (the generic
 * cell rate algorithm, ITU-T I.371), so a key costs one number and no timer. At most 50,000
 * keys are stored.
 */
export class RateLimiter {
  readonly #microsPerRequest: number
  readonly #burst: number
  readonly #fullAt = new Map<string, number>()

  constructor({ perSecond, burst }: RateLimit) {
    this.#microsPerRequest = Math.max(1, Math.round(1_000_000 / perSecond))
    this.#burst = burst
  }

  /** Counts a request. `nowMs` is the time of a monotonic clock in milliseconds. */
  take(key: string, nowMs: number): LimitState {
    // The time is in whole microseconds, because rounding errors of fractions could miscount a
    // request.
    const nowMicros = Math.round(nowMs * 1000)
    const fullAt = Math.max(this.#fullAt.get(key) ?? 0, nowMicros) + this.#microsPerRequest
    const usedRequests = (fullAt - nowMicros) / this.#microsPerRequest
    const isWithin = usedRequests <= this.#burst
    if (isWithin) this.#cache(key, fullAt)
    const waitMicros = isWithin ? 0 : (usedRequests - this.#burst) * this.#microsPerRequest
    return {
      isAllowed: isWithin,
      remaining: isWithin ? Math.floor(this.#burst - usedRequests) : 0,
      resetSeconds: Math.ceil((fullAt - nowMicros) / 1_000_000),
      retryAfterSeconds: Math.ceil(waitMicros / 1_000_000),
    }
  }

  #cache(key: string, fullAt: number): void {
    if (this.#fullAt.size >= maxCached) {
      this.#fullAt.delete(key)
      const oldest = this.#fullAt.keys().next()
      if (!oldest.done && this.#fullAt.size >= maxCached) this.#fullAt.delete(oldest.value)
    }
    this.#fullAt.set(key, fullAt)
  }
}

interface Limits {
  client: RateLimiter
  address: RateLimiter
}

const limitsByBank = new WeakMap<Bank, Limits>()
const countedRequests = new WeakMap<
  FastifyRequest,
  { policy: 'client' | 'address'; counted: LimitState }
>()

function limitsOf(bank: Bank): Limits {
  let limits = limitsByBank.get(bank)
  if (!limits) {
    const { client, address } = bank.config.rateLimits
    limits = { client: new RateLimiter(client), address: new RateLimiter(address) }
    limitsByBank.set(bank, limits)
  }
  return limits
}

/**
 * Counts a request of a client. Each party for which the client acts, and each person of the bank
 * who uses it, is counted separately. Throws RATE_LIMITED.
 */
export function countClient(bank: Bank, request: FastifyRequest | null, caller: Caller): void {
  const counted = limitsOf(bank).client.take(callerKey(caller), performance.now())
  requireWithinLimit(bank, { request, caller, policy: 'client', counted })
}

/**
 * Counts a request without a valid token against the limit of its IP address. For a socket, `raw`
 * is the request that opened it. Throws RATE_LIMITED.
 */
export function countAddress(
  bank: Bank,
  request: FastifyRequest | null,
  raw: IncomingMessage,
): void {
  const counted = limitsOf(bank).address.take(addressOf(bank.config, raw), performance.now())
  requireWithinLimit(bank, { request, caller: null, policy: 'address', counted })
}

interface CountedRequest {
  request: FastifyRequest | null
  caller: Caller | null
  policy: 'client' | 'address'
  counted: LimitState
}

function requireWithinLimit(
  bank: Bank,
  { request, caller, policy, counted }: CountedRequest,
): void {
  if (request) countedRequests.set(request, { policy, counted })
  if (counted.isAllowed) return
  const problem = new Problem('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
  recordRejection(bank, request, caller, problem)
  throw problem
}

/**
 * Sets the rate limit headers of a response (draft-ietf-httpapi-ratelimit-headers-10). The quota of
 * the policy is the burst, and its window is the time in which the burst refills. Code that sends a
 * response without Fastify must call this function itself.
 */
export function setRateLimitHeaders(bank: Bank, reply: FastifyReply): void {
  const state = countedRequests.get(reply.request)
  if (!state) return
  const { policy, counted } = state
  const { perSecond, burst } = bank.config.rateLimits[policy]
  reply.header('ratelimit-policy', `"${policy}";q=${burst};w=${Math.ceil(burst / perSecond)}`)
  reply.header('ratelimit', `"${policy}";r=${counted.remaining};t=${counted.resetSeconds}`)
}

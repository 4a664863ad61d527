import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Caller } from '../subgraphs/_kernel/caller.ts'
import type { RateLimit } from '../subgraphs/_kernel/config.ts'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { addressOf } from './address.ts'
import { noteAtDoor } from './refusals.ts'

/** What is left after a request was counted. */
export interface Counted {
  isWithin: boolean
  remaining: number
  /** Until everything is there again. */
  resetSeconds: number
  /** Until one more is within; zero when it is. */
  retryAfterSeconds: number
}

const mostRemembered = 50_000

/**
 * Counts requests by name: so many a second, and so many at once. It is a bucket that fills by
 * itself, kept as the one moment at which it will be full again (the generic cell rate algorithm
 * of ATM, ITU-T I.371), so that a name costs one number and no timer. Who was not seen for longest is
 * forgotten first.
 */
export class Buckets {
  readonly #everyMicros: number
  readonly #burst: number
  readonly #fullAt = new Map<string, number>()

  constructor({ perSecond, burst }: RateLimit) {
    this.#everyMicros = Math.max(1, Math.round(1_000_000 / perSecond))
    this.#burst = burst
  }

  /** Counts one request at a moment of a clock that never goes back, in milliseconds. */
  take(name: string, nowMs: number): Counted {
    // Whole microseconds: a sum of fractions would be off by one request now and then.
    const now = Math.round(nowMs * 1000)
    const fullAt = Math.max(this.#fullAt.get(name) ?? 0, now) + this.#everyMicros
    const used = (fullAt - now) / this.#everyMicros
    const isWithin = used <= this.#burst
    if (isWithin) this.#remember(name, fullAt)
    const waitMicros = isWithin ? 0 : (used - this.#burst) * this.#everyMicros
    return {
      isWithin,
      remaining: isWithin ? Math.floor(this.#burst - used) : 0,
      resetSeconds: Math.ceil((fullAt - now) / 1_000_000),
      retryAfterSeconds: Math.ceil(waitMicros / 1_000_000),
    }
  }

  #remember(name: string, fullAt: number): void {
    if (this.#fullAt.size >= mostRemembered) {
      this.#fullAt.delete(name)
      const oldest = this.#fullAt.keys().next()
      if (!oldest.done && this.#fullAt.size >= mostRemembered) this.#fullAt.delete(oldest.value)
    }
    this.#fullAt.set(name, fullAt)
  }
}

interface Limits {
  client: Buckets
  address: Buckets
}

const perBank = new WeakMap<Bank, Limits>()
const told = new WeakMap<FastifyRequest, { policy: 'client' | 'address'; counted: Counted }>()

function limitsOf(bank: Bank): Limits {
  let limits = perBank.get(bank)
  if (!limits) {
    const { client, address } = bank.config.rateLimits
    limits = { client: new Buckets(client), address: new Buckets(address) }
    perBank.set(bank, limits)
  }
  return limits
}

/** Counts a request of a client, for each party it acts for by itself. Refuses with RATE_LIMITED. */
export function countClient(bank: Bank, request: FastifyRequest | null, caller: Caller): void {
  const name = `${caller.clientId}\n${caller.partyId ?? ''}`
  const counted = limitsOf(bank).client.take(name, performance.now())
  admit(bank, { request, caller, policy: 'client', counted })
}

/**
 * Counts a request that nobody answers for, by where it comes from; over a socket there is only the
 * one it was opened with. Refuses with RATE_LIMITED.
 */
export function countAddress(
  bank: Bank,
  request: FastifyRequest | null,
  raw: IncomingMessage,
): void {
  const counted = limitsOf(bank).address.take(addressOf(bank.config, raw), performance.now())
  admit(bank, { request, caller: null, policy: 'address', counted })
}

interface Visit {
  request: FastifyRequest | null
  caller: Caller | null
  policy: 'client' | 'address'
  counted: Counted
}

function admit(bank: Bank, { request, caller, policy, counted }: Visit): void {
  if (request) told.set(request, { policy, counted })
  if (counted.isWithin) return
  const problem = new Problem('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
  noteAtDoor(bank, request, caller, problem)
  throw problem
}

/**
 * Tells with an answer what is left (draft-ietf-httpapi-ratelimit-headers-10): the policy is what
 * goes at once, in the seconds in which it comes back. What is written past the server's own way to
 * send has to ask for it.
 */
export function tellRateLimit(bank: Bank, reply: FastifyReply): void {
  const known = told.get(reply.request)
  if (!known) return
  const { policy, counted } = known
  const { perSecond, burst } = bank.config.rateLimits[policy]
  reply.header('ratelimit-policy', `"${policy}";q=${burst};w=${Math.ceil(burst / perSecond)}`)
  reply.header('ratelimit', `"${policy}";r=${counted.remaining};t=${counted.resetSeconds}`)
}

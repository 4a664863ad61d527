import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '../../_kernel/clock.ts'
import { command } from '../../_kernel/command.ts'
import type { Context } from '../../_kernel/context.ts'
import { faultPoint } from '../../_kernel/fault-point.ts'
import { bankContext, type Worker } from '../../_kernel/worker.ts'
import { toCloudEvent } from '../domain/cloud-event.ts'
import { afterAttempt } from '../domain/delivery.ts'
import { holdAfterFailure, isGivenUp, liveSecrets } from '../domain/endpoint.ts'
import { disableEndpoint } from '../endpoint-commands.ts'
import { tellDeadLetter } from '../events.ts'
import {
  claimDeliveries,
  isHeld,
  land,
  landLast,
  release,
  type Flight,
  type Landing,
} from '../store/flight.ts'
import { guardedAgent } from './address-guard.ts'
import { Gatherer } from './gatherer.ts'
import { post, type Received } from './sender.ts'
import { signedHeaders } from '../../_kernel/webhook-signature.ts'
import { wake, woken } from './wake.ts'

/** The polling interval for deliveries planned by other processes and for retries. */
const pollMs = 500
/** The maximum number of requests in flight per process; at most four of them per endpoint. */
const mostInFlight = 256
/** How long a shutdown waits for requests in flight. */
const graceMs = 2000

/**
 * Sends due deliveries concurrently, so that a slow endpoint does not delay the others. It runs
 * until it is stopped. Any number of processes may run a deliverer.
 */
export const deliverWebhooks: Worker = {
  name: 'events.deliver-webhooks',
  purpose: 'Delivers events to webhook endpoints.',
  everyMs: 1000,
  run: (context, stopping) => new Deliverer(context, stopping).run(),
}

class Deliverer {
  readonly #context: Context
  readonly #stopping: AbortSignal
  readonly #leaseId: string
  readonly #flights = new Set<Promise<void>>()
  readonly #cut = new AbortController()
  readonly #landings: Gatherer<Landing>

  constructor(context: Context, stopping: AbortSignal = new AbortController().signal) {
    this.#context = context
    this.#stopping = stopping
    this.#leaseId = context.newId('event')
    this.#landings = new Gatherer((landings) => land(context, landings))
  }

  async run(): Promise<number> {
    try {
      while (!this.#stopping.aborted) await this.#round()
    } finally {
      await this.#land()
    }
    return 0
  }

  async #round(): Promise<void> {
    const { bank } = this.#context
    const room = mostInFlight - this.#flights.size
    const claimed = room > 0 ? await claimDeliveries(this.#context, this.#leaseId, room) : []
    if (claimed.length > 0) faultPoint('webhook.claimed')
    for (const flight of claimed) this.#start(flight)
    if (claimed.length === 0) await woken(bank, pollMs, this.#stopping)
  }

  #start(flight: Flight): void {
    const { bank } = this.#context
    const flown = this.#fly(flight)
      .catch((error: unknown) =>
        bank.log.error({ error, delivery: flight.deliveryId }, 'a delivery is not recorded'),
      )
      .finally(() => {
        this.#flights.delete(flown)
        wake(bank)
      })
    this.#flights.add(flown)
  }

  async #fly(flight: Flight): Promise<void> {
    const received = await sendEvent(this.#context, flight, this.#cut.signal)
    // A request aborted by the shutdown does not count as a failure; it is sent again after the
    // restart.
    if (received.statusCode === null && this.#cut.signal.aborted) return
    faultPoint('webhook.answered')
    const landing = landingOf(this.#context, flight, received)
    if (landing.status === 'dead-lettered') await bury(this.#context, landing)
    else await this.#landings.add(landing)
    faultPoint('webhook.recorded')
    await giveUpIfDue(this.#context, landing)
  }

  /** Waits briefly for requests in flight, aborts the rest, and releases their leases. */
  async #land(): Promise<void> {
    const done = Promise.allSettled(this.#flights)
    await Promise.race([done, sleep(graceMs, undefined, { ref: false })])
    this.#cut.abort()
    await done
    await release(this.#context, this.#leaseId).catch(() => undefined)
  }
}

/**
 * The timestamp is real time even when the sandbox clock was moved, because receivers reject old
 * timestamps.
 */
async function sendEvent(context: Context, flight: Flight, cut: AbortSignal): Promise<Received> {
  const { bank } = context
  const { endpointId, eventId, secrets, isFull, data } = flight
  if (isFull && !data) return unreadable
  const place = `webhook-endpoint/${endpointId}`
  const live = liveSecrets(secrets, context.now()).map(({ sealed }) =>
    bank.vault.open(sealed, place),
  )
  const body = JSON.stringify(toCloudEvent({ ...flight, data: data ?? {} }, isFull))
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': 'bankgraph-webhooks/1',
    ...signedHeaders(live, eventId, realNow(), body),
  }
  const agentOf = (url: URL) => guardedAgent(bank, url)
  return post(new URL(flight.url), agentOf, headers, body, cut)
}

const unreadable: Received = {
  statusCode: null,
  retryAfter: null,
  error: 'The data of the event could not be read.',
  response: null,
  durationMs: 0,
}

function landingOf(context: Context, flight: Flight, received: Received): Landing {
  const now = context.now()
  const after = afterAttempt(flight.step, received, now, Math.random())
  const heldUntil =
    after.status === 'delivered'
      ? null
      : holdAfterFailure(flight.failures + 1, after.retryAfter, now)
  const { durationMs, statusCode, error, response } = received
  return { ...after, flight, at: now, durationMs, statusCode, error, response, heldUntil }
}

/**
 * Dead-letters a delivery that has used up its attempts, and emits the event, except for a dead
 * letter about a dead letter.
 */
async function bury(context: Context, landing: Landing): Promise<void> {
  const { flight, statusCode } = landing
  const { deliveryId, endpointId, clientId, eventId, type, position } = flight
  const attempts = flight.attempts + 1
  const own = { deliveryId, endpointId, clientId, eventId, position, attempts }
  const told = tellDeadLetter({ ...own, eventType: type, lastStatusCode: statusCode })
  const isHeard = type !== told.type
  await command(bankContext(context.bank), 'events.dead-letter', {}, async () => {
    if (!(await isHeld(context, flight))) return { result: null }
    return { result: null, writes: landLast(landing), events: isHeard ? [told] : [] }
  })
}

/**
 * Disables an endpoint that responded with 410 (Gone) or has failed for five days without a
 * success.
 */
async function giveUpIfDue(context: Context, landing: Landing): Promise<void> {
  const { flight, status, isGone, at } = landing
  const isFailing = status !== 'delivered' && isGivenUp(flight.failingSince, at)
  if (!isGone && !isFailing) return
  await disableEndpoint(bankContext(context.bank), flight, isGone ? 'gone' : 'failing')
}

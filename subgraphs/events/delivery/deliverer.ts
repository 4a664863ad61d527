import { decryptIn } from '../../../kernel/environment/vault-columns.ts'
import { endpointSecrets } from '../store/vault-columns.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '../../../kernel/work/clock.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { metersOf } from '../../../kernel/telemetry/meters.ts'
import { faultPoint } from '../../../kernel/environment/fault-point.ts'
import { bankContext, type Worker } from '../../../kernel/work/worker.ts'
import { toCloudEvent } from '../domain/cloud-event.ts'
import { afterAttempt } from '../domain/delivery.ts'
import { holdAfterFailure, isAbandoned, liveSecrets } from '../domain/endpoint.ts'
import { disableEndpoint } from '../commands/endpoint.ts'
import { deadLetterEvent } from '../events.ts'
import {
  areDeliveriesDueSql,
  claimDeliveries,
  hasLease,
  settle,
  settleLastAttempt,
  release,
  type LeasedDelivery,
  type AttemptResult,
} from '../store/leased-delivery.ts'
import { guardedAgent } from './address-guard.ts'
import { BatchWriter } from './gatherer.ts'
import { post, type SendResult } from './sender.ts'
import { traceDelivery } from './trace-delivery.ts'
import { signedHeaders } from '../../../kernel/events/webhook-signature.ts'
import { wake, waitForWakeSignal } from './wake.ts'

/** The longest pause without a due delivery, and while requests are in flight. */
const maxPauseMs = { idle: 60_000, busy: 500 }
/** The maximum number of requests in flight per process. */
const maxInFlight = 256
/** How long a shutdown waits for requests in flight. */
const graceMs = 2000

/**
 * Sends due deliveries concurrently, so that a slow endpoint does not delay other endpoints. It
 * runs until it is stopped. Any number of processes can run it at the same time.
 */
export const deliverWebhooks: Worker = {
  name: 'events.deliver-webhooks',
  purpose: 'Delivers events to webhook endpoints.',
  everyMs: 1000,
  runsUntilStopped: true,
  run: (context, stopping) => new Deliverer(context, stopping).run(),
}

class Deliverer {
  readonly #context: Context
  readonly #stopping: AbortSignal
  readonly #leaseId: string
  readonly #inFlight = new Set<Promise<void>>()
  readonly #abortRequests = new AbortController()
  readonly #results: BatchWriter<AttemptResult>

  constructor(context: Context, stopping: AbortSignal = new AbortController().signal) {
    this.#context = context
    this.#stopping = stopping
    this.#leaseId = context.newId('event')
    this.#results = new BatchWriter((results) => settle(context, results))
  }

  async run(): Promise<number> {
    const { bank } = this.#context
    // Finds retries, and deliveries that other processes planned.
    const endWatch = bank.heartbeat.watch(areDeliveriesDueSql, (isDue) => isDue && wake(bank))
    try {
      while (!this.#stopping.aborted) await this.#sendDue()
    } finally {
      endWatch()
      await this.#shutDown()
    }
    return 0
  }

  async #sendDue(): Promise<void> {
    const { bank } = this.#context
    const capacity = maxInFlight - this.#inFlight.size
    const leasedDeliveries =
      capacity > 0 ? await claimDeliveries(this.#context, this.#leaseId, capacity) : []
    if (leasedDeliveries.length > 0) faultPoint('webhook.claimed')
    for (const leased of leasedDeliveries) this.#start(leased)
    if (leasedDeliveries.length > 0) return
    const pauseMs = maxPauseMs[this.#inFlight.size > 0 ? 'busy' : 'idle']
    await waitForWakeSignal(bank, pauseMs, this.#stopping)
  }

  #start(leased: LeasedDelivery): void {
    const { bank } = this.#context
    const delivery = this.#deliver(leased)
      .catch((error: unknown) =>
        bank.log.error({ error, delivery: leased.deliveryId }, 'a delivery is not recorded'),
      )
      .finally(() => {
        this.#inFlight.delete(delivery)
        wake(bank)
      })
    this.#inFlight.add(delivery)
  }

  async #deliver(leased: LeasedDelivery): Promise<void> {
    const sendResult = await traceDelivery(leased, (traceparent) =>
      sendEvent(this.#context, leased, traceparent, this.#abortRequests.signal),
    )
    // A request that the shutdown aborted does not count as a failure. It is sent again after the
    // restart.
    if (sendResult.statusCode === null && this.#abortRequests.signal.aborted) return
    faultPoint('webhook.answered')
    const attemptResult = resultOf(this.#context, leased, sendResult)
    measureDelivery(this.#context, attemptResult)
    if (attemptResult.status === 'dead-lettered')
      await moveToDeadLetters(this.#context, attemptResult)
    else await this.#results.add(attemptResult)
    faultPoint('webhook.recorded')
    await disableIfFailing(this.#context, attemptResult)
  }

  /**
   * Waits up to two seconds for requests in flight, aborts the others and releases their leases.
   */
  async #shutDown(): Promise<void> {
    const allSettled = Promise.allSettled(this.#inFlight)
    await Promise.race([allSettled, sleep(graceMs, undefined, { ref: false })])
    this.#abortRequests.abort()
    await allSettled
    await release(this.#context, this.#leaseId).catch(() => undefined)
  }
}

/**
 * Sends an event to its endpoint. The timestamp of the signature is always real time, even if the
 * sandbox clock was moved, because receivers reject old timestamps.
 */
async function sendEvent(
  context: Context,
  leased: LeasedDelivery,
  traceparent: string | undefined,
  abortSignal: AbortSignal,
): Promise<SendResult> {
  const { bank } = context
  const { endpointId, eventId, secrets, isFull, data } = leased
  if (isFull && !data) return notSent('The data of the event could not be read.')
  const activeSecrets = decryptSecrets(context, endpointId, liveSecrets(secrets, context.now()))
  if (!activeSecrets) return notSent('A secret of the endpoint could not be decrypted.')
  const body = JSON.stringify(toCloudEvent({ ...leased, data: data ?? {} }, isFull))
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': 'bankgraph-webhooks/1',
    ...(traceparent !== undefined && { traceparent }),
    ...signedHeaders(activeSecrets, eventId, realNow(), body),
  }
  const agentOf = (url: URL) => guardedAgent(bank, url)
  return post(new URL(leased.url), agentOf, headers, body, abortSignal)
}

function measureDelivery({ bank }: Context, { status, durationMs }: AttemptResult): void {
  const outcome = status === 'delivered' || status === 'dead-lettered' ? status : 'failed'
  metersOf(bank).deliveries.observe({ outcome }, durationMs / 1000)
}

/**
 * Decrypts the secrets of an endpoint; null if one cannot be decrypted, because a former root secret
 * was removed too early. That is an error of the bank, which the attempt records, and which must not
 * block the deliveries of the endpoint without a trace.
 */
function decryptSecrets(
  { bank }: Context,
  endpointId: string,
  secrets: ReturnType<typeof liveSecrets>,
): string[] | null {
  const row = { endpoint_id: endpointId }
  try {
    return secrets.map(({ encrypted }) => decryptIn(bank.vault, endpointSecrets, encrypted, row))
  } catch (error) {
    bank.log.error({ error, endpoint: endpointId }, 'a secret of an endpoint cannot be decrypted')
    return null
  }
}

/** Returns the result of an attempt that the bank could not make. */
const notSent = (error: string): SendResult => ({
  statusCode: null,
  retryAfter: null,
  error,
  response: null,
  durationMs: 0,
})

function resultOf(context: Context, leased: LeasedDelivery, sendResult: SendResult): AttemptResult {
  const now = context.now()
  const after = afterAttempt(leased.step, sendResult, now, Math.random())
  const heldUntil =
    after.status === 'delivered'
      ? null
      : holdAfterFailure(leased.failures + 1, after.retryAfter, now)
  const { durationMs, statusCode, error, response } = sendResult
  return { ...after, leased, at: now, durationMs, statusCode, error, response, heldUntil }
}

/**
 * Moves a delivery without remaining attempts to the dead letters and emits an event. No event is
 * emitted if the failed delivery itself was about a dead letter; otherwise each failure could cause
 * another one.
 */
async function moveToDeadLetters(context: Context, attemptResult: AttemptResult): Promise<void> {
  const { leased, statusCode } = attemptResult
  const { deliveryId, endpointId, clientId, eventId, type, position } = leased
  const attempts = leased.attempts + 1
  const delivery = { deliveryId, endpointId, clientId, eventId, position, attempts }
  const event = deadLetterEvent({ ...delivery, eventType: type, lastStatusCode: statusCode })
  const isEmitted = type !== event.type
  await command(bankContext(context.bank), 'events.dead-letter', {}, async () => {
    if (!(await hasLease(context, leased))) return { result: null }
    return {
      result: null,
      writes: settleLastAttempt(attemptResult),
      events: isEmitted ? [event] : [],
    }
  })
}

/** Disables an endpoint that responded with 410 (Gone) or has failed for five days. */
async function disableIfFailing(context: Context, attemptResult: AttemptResult): Promise<void> {
  const { leased, status, isGone, at } = attemptResult
  const isFailing = status !== 'delivered' && isAbandoned(leased.failingSince, at)
  if (!isGone && !isFailing) return
  await disableEndpoint(bankContext(context.bank), leased, isGone ? 'gone' : 'failing')
}

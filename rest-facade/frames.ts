import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contextOf } from '../gateway/envelope.ts'
import type { Graph } from '../gateway/graph.ts'
import { problemBody } from '../gateway/problem-body.ts'
import { setRateLimitHeaders } from '../gateway/rate-limits.ts'
import { sendHeartbeats, writeAndFlush } from '../gateway/sse.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import type { Context } from '../kernel/environment/context.ts'
import { problemOf } from '../kernel/graph/errors.ts'
import type { CompiledRoute } from './compiled-route.ts'

// Long operations stream their steps as server-sent events, followed by the final record.

const waitMs = 5000
const heartbeatMs = 10_000

/** A request whose response is an event stream. */
export interface StreamRequest {
  route: CompiledRoute
  graph: Graph
  bank: Bank
  request: FastifyRequest
  reply: FastifyReply
  context: Context
  /** The path parameters, which identify the record whose steps are streamed. */
  path: Record<string, string>
  /** Runs the operation with a stream ID. Returns the record as the body of a JSON response. */
  run(streamId: string): Promise<string>
}

/**
 * Streams the steps of an operation as they happen, and then the record. An error before the first
 * step is thrown and becomes an ordinary problem response. A later error is sent as the last event,
 * `problem`.
 */
export async function sendEventStream(streamRequest: StreamRequest): Promise<FastifyReply> {
  const { route, bank, request, reply, context } = streamRequest
  const streamId = randomUUID()
  const events = new ResponseStream(reply, bank)
  let isDone = false
  const pendingRecord = streamRequest.run(streamId).finally(() => (isDone = true))
  // The rejection is handled where `pendingRecord` is awaited below.
  pendingRecord.catch(() => undefined)
  try {
    let lastSequence = 0
    for (;;) {
      const wasDone = isDone
      const nextSteps = stepsAfter(streamRequest, streamId, lastSequence, wasDone ? 0 : waitMs)
      const frames = await Promise.race([nextSteps, pendingRecord.then(noSteps, noSteps)])
      for (const { kind, ...frame } of frames) {
        await events.send(context, kind, JSON.stringify(frame))
        lastSequence = frame.sequence
      }
      if (wasDone) break
    }
    await events.send(context, route.frames!.lastEventName, await pendingRecord)
  } catch (error) {
    if (!events.isOpen) throw error
    const body = problemBody(bank, problemOf(error, bank.log), request.id, request.url)
    await events.send(context, 'problem', JSON.stringify(body))
  } finally {
    events.close()
  }
  return reply
}

interface Step {
  kind: string
  sequence: number
}
const noSteps = (): Step[] => []

/**
 * Returns the steps after the sequence number `after`. If the steps cannot be read, waits and
 * returns none, because the record is sent in any case.
 */
async function stepsAfter(
  { route, graph, bank, request, context, path }: StreamRequest,
  streamId: string,
  after: number,
  maxWaitMs: number,
): Promise<Step[]> {
  const { graphql, rootKey, shape } = route.frames!
  const pollContext = contextOf(bank, request, context.caller, undefined)
  const variables = { ...path, streamId, after, waitMs: maxWaitMs }
  const result = await graph.run(graphql, variables, pollContext).catch(() => null)
  const stream = result?.data?.[rootKey]
  if (stream) return (shape(stream) as { frames: Step[] }).frames
  await sleep(maxWaitMs, undefined, { ref: false })
  return []
}

/** The event stream of one response. The first event opens it. */
class ResponseStream {
  readonly #reply: FastifyReply
  readonly #bank: Bank
  #stopHeartbeats: (() => void) | undefined
  isOpen = false

  constructor(reply: FastifyReply, bank: Bank) {
    this.#reply = reply
    this.#bank = bank
  }

  /**
   * Sends one event. Waits until a slow client has received it. Does nothing if the client has
   * disconnected.
   */
  async send(context: Context, event: string, data: string): Promise<void> {
    if (!this.isOpen) this.#open(context)
    const { raw } = this.#reply
    if (raw.destroyed) return
    await writeAndFlush(raw, `event: ${event}\ndata: ${data}\n\n`).catch(() => undefined)
  }

  close(): void {
    this.#stopHeartbeats?.()
    if (this.isOpen) this.#reply.raw.end()
  }

  #open({ outcome }: Context): void {
    this.isOpen = true
    setRateLimitHeaders(this.#bank, this.#reply)
    this.#reply.hijack()
    const { raw } = this.#reply
    raw.on('error', (error) => this.#bank.log.debug({ error: error.message }, 'a stream failed'))
    raw.writeHead(200, {
      ...(this.#reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      ...(outcome.isReplayed && { 'idempotent-replayed': 'true' }),
      ...(outcome.provisioned.length > 0 && {
        'sandbox-provisioned': outcome.provisioned.join(', '),
      }),
    })
    this.#stopHeartbeats = sendHeartbeats(raw, heartbeatMs)
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contextOf } from '../gateway/envelope.ts'
import type { Graph } from '../gateway/graph.ts'
import { problemBody } from '../gateway/problem-body.ts'
import { tellRateLimit } from '../gateway/rate-limits.ts'
import { keepBeating, written } from '../gateway/sse.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { problemOf } from '../subgraphs/_kernel/graph/errors.ts'
import type { CompiledRoute } from './compiled-route.ts'

// An operation that takes its time tells its steps as server-sent events, and its record at the end.

const waitMs = 5000
const beatMs = 10_000

/** One request that is answered in frames. */
export interface Framed {
  route: CompiledRoute
  graph: Graph
  bank: Bank
  request: FastifyRequest
  reply: FastifyReply
  context: Context
  /** The path's members, which the steps are asked for by. */
  path: Record<string, string>
  /** Runs the operation under a name for its stream, and answers its record as JSON would be sent. */
  run(streamId: string): Promise<string>
}

/**
 * Answers in frames: a step when it happens, and last the record. What is refused before the first
 * step is thrown, and answered as always; what goes wrong later is the last frame, `problem`.
 */
export async function sendFrames(framed: Framed): Promise<FastifyReply> {
  const { route, bank, request, reply, context } = framed
  const streamId = randomUUID()
  const events = new Events(reply, bank)
  let isDone = false
  const done = framed.run(streamId).finally(() => (isDone = true))
  // Its refusal is read below.
  done.catch(() => undefined)
  try {
    let after = 0
    for (;;) {
      const wasDone = isDone
      const asked = stepsAfter(framed, streamId, after, wasDone ? 0 : waitMs)
      const frames = await Promise.race([asked, done.then(none, none)])
      for (const { kind, ...frame } of frames) {
        await events.send(context, kind, JSON.stringify(frame))
        after = frame.sequence
      }
      if (wasDone) break
    }
    await events.send(context, route.frames!.last, await done)
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
const none = (): Step[] => []

/** The next steps. When they cannot be read the record still comes: then there are none. */
async function stepsAfter(
  { route, graph, bank, request, context, path }: Framed,
  streamId: string,
  after: number,
  wait: number,
): Promise<Step[]> {
  const { graphql, rootKey, shape } = route.frames!
  const asking = contextOf(bank, request, context.caller, undefined)
  const variables = { ...path, streamId, after, waitMs: wait }
  const answered = await graph.run(graphql, variables, asking).catch(() => null)
  const turn = answered?.data?.[rootKey]
  if (turn) return (shape(turn) as { frames: Step[] }).frames
  await sleep(wait, undefined, { ref: false })
  return []
}

/** The events of one answer. The first one opens it. */
class Events {
  readonly #reply: FastifyReply
  readonly #bank: Bank
  #stopBeating: (() => void) | undefined
  isOpen = false

  constructor(reply: FastifyReply, bank: Bank) {
    this.#reply = reply
    this.#bank = bank
  }

  /** Sends one event; a client that went away misses it. Waits for one that reads slowly. */
  async send(context: Context, event: string, data: string): Promise<void> {
    if (!this.isOpen) this.#open(context)
    const { raw } = this.#reply
    if (raw.destroyed) return
    await written(raw, `event: ${event}\ndata: ${data}\n\n`).catch(() => undefined)
  }

  close(): void {
    this.#stopBeating?.()
    if (this.isOpen) this.#reply.raw.end()
  }

  #open({ outcome }: Context): void {
    this.isOpen = true
    tellRateLimit(this.#bank, this.#reply)
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
    this.#stopBeating = keepBeating(raw, beatMs)
  }
}

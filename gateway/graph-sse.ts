import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { watchToken, type Listeners } from './admission.ts'
import { tellRateLimit } from './rate-limits.ts'
import { keepBeating, written } from './sse.ts'
import { streamError } from './stream-retries.ts'
import { EventStream, type Subscription } from './subscriptions.ts'

/**
 * Sends subscriptions as `text/event-stream`, one subscription each (GraphQL over SSE, distinct
 * connections). The next event is pulled when the client has taken the one before, so a slow
 * client costs no memory; one that takes nothing between two beats is cut off, and resumes after
 * the last position it has.
 */
export class EventStreams {
  readonly #bank: Bank
  readonly #listeners: Listeners
  readonly #beatMs: number
  readonly #open = new Map<EventStream, ServerResponse>()

  constructor(bank: Bank, listeners: Listeners, beatMs = 12_000) {
    this.#bank = bank
    this.#listeners = listeners
    this.#beatMs = beatMs
  }

  /** Sends until the client goes, its token expires, or the process stops. Refuses with RATE_LIMITED. */
  async send(reply: FastifyReply, subscription: Subscription): Promise<void> {
    const bank = this.#bank
    const { caller } = subscription
    const leave = this.#listeners.enter(caller)
    const stream = new EventStream(bank, subscription)
    const forget = watchToken(bank, caller, () => void stream.return())
    tellRateLimit(bank, reply)
    reply.hijack()
    const { raw } = reply
    this.#open.set(stream, raw)
    const ended = keepBeating(raw, this.#beatMs)
    raw.on('close', () => void stream.return())
    if (raw.destroyed) void stream.return()
    raw.on('error', (error) => bank.log.debug({ error: error.message }, 'a stream failed'))
    try {
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        connection: 'keep-alive',
      })
      // Some browsers take the headers with the first bytes only.
      await written(raw, ':\n\n')
      for await (const result of stream) {
        if (raw.destroyed) break
        await written(raw, `event: next\ndata: ${result.toString()}\n\n`)
      }
      raw.end('event: complete\ndata:\n\n')
    } catch (error) {
      if (raw.destroyed) return
      const errors = [streamError(bank, error)]
      raw.end(`event: next\ndata: ${JSON.stringify({ errors })}\n\nevent: complete\ndata:\n\n`)
    } finally {
      ended()
      forget()
      leave()
      this.#open.delete(stream)
    }
  }

  /** Ends all streams: those whose clients read with a last word. */
  async close(): Promise<void> {
    for (const [stream, raw] of this.#open) {
      if (raw.writableLength > 0) raw.destroy()
      await stream.return()
    }
  }
}

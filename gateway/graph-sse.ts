import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { watchToken, type ConnectionLimiter } from './admission.ts'
import { countSubscription } from './measure-operation.ts'
import { setProofNonce } from './proofs.ts'
import { setRateLimitHeaders } from './rate-limits.ts'
import { sendHeartbeats, writeAndFlush } from './sse.ts'
import { streamError } from './stream-retries.ts'
import { EventStream, type Subscription } from './subscriptions.ts'

/**
 * Streams subscriptions as `text/event-stream`, one per connection (GraphQL over SSE, distinct
 * connections mode). The next event is pulled only when the previous one has been flushed, so a
 * slow client needs no queue. A client that still has unread data at two consecutive heartbeats is
 * disconnected, and can resume after the last position it received.
 */
export class EventStreams {
  readonly #bank: Bank
  readonly #listeners: ConnectionLimiter
  readonly #heartbeatMs: number
  readonly #openStreams = new Map<EventStream, ServerResponse>()

  constructor(bank: Bank, listeners: ConnectionLimiter, heartbeatMs = 12_000) {
    this.#bank = bank
    this.#listeners = listeners
    this.#heartbeatMs = heartbeatMs
  }

  /**
   * Streams a subscription until the client disconnects, its token expires or is revoked, or the
   * process stops. Throws RATE_LIMITED.
   */
  async send(reply: FastifyReply, subscription: Subscription): Promise<void> {
    const bank = this.#bank
    const { caller } = subscription
    const leave = this.#listeners.enter(caller)
    const stream = new EventStream(bank, subscription)
    const stopWatching = watchToken(bank, caller, () => void stream.return())
    setRateLimitHeaders(bank, reply)
    setProofNonce(bank, reply)
    reply.hijack()
    const { raw } = reply
    this.#openStreams.set(stream, raw)
    const uncount = countSubscription(bank, 'sse')
    const stopHeartbeats = sendHeartbeats(raw, this.#heartbeatMs)
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
      // Some browsers process the headers only when the first bytes of the body arrive.
      await writeAndFlush(raw, ':\n\n')
      for await (const result of stream) {
        if (raw.destroyed) break
        await writeAndFlush(raw, `event: next\ndata: ${result.toString()}\n\n`)
      }
      raw.end('event: complete\ndata:\n\n')
    } catch (error) {
      if (raw.destroyed) return
      const errors = [streamError(bank, error, reply.request.id)]
      raw.end(`event: next\ndata: ${JSON.stringify({ errors })}\n\nevent: complete\ndata:\n\n`)
    } finally {
      stopHeartbeats()
      stopWatching()
      leave()
      uncount()
      this.#openStreams.delete(stream)
    }
  }

  /** Ends all streams. Clients that are still reading receive a final event. */
  async close(): Promise<void> {
    for (const [stream, raw] of this.#openStreams) {
      if (raw.writableLength > 0) raw.destroy()
      await stream.return()
    }
  }
}

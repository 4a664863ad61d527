import { EventSourceParserStream } from 'eventsource-parser/stream'
import { createClient, type Client } from 'graphql-ws/client'
import { prepare } from './document.ts'
import type { GraphDocument } from './typed-document.ts'
import { problemOf, type GraphError } from './problem.ts'
import type { Transport } from './transport.ts'

/** How events travel: over HTTP (server-sent events) or over one WebSocket. */
export type StreamTransport = 'http' | 'websocket'

/** A result of a subscription. */
interface StreamResult {
  data?: Record<string, unknown> | null
  errors?: readonly GraphError[]
}

/** Opens subscriptions of the graph. A stream ends when its connection is lost. */
export class Streams {
  readonly #transport: Transport
  readonly #url: string
  readonly #webSocket: unknown
  #sockets: Client | null = null

  constructor(transport: Transport, url: string, webSocket: unknown) {
    this.#transport = transport
    this.#url = url
    this.#webSocket = webSocket
  }

  /**
   * Returns the results of a subscription as they arrive. Ends when the bank completes it. Throws a
   * `BankProblem` if the bank rejects it, and any other Error if the connection is lost.
   */
  async *open(
    document: GraphDocument<never, never>,
    variables: object,
    over: StreamTransport,
    signal?: AbortSignal,
  ): AsyncGenerator<Record<string, unknown>, void> {
    const { query, operationName } = prepare(document)
    const results =
      over === 'http'
        ? this.#overHttp(operationName, query, variables, signal)
        : this.#overSocket(query, variables, signal)
    for await (const { data, errors } of results) {
      if (errors?.[0]) throw problemOf(errors[0])
      if (data) yield data
    }
  }

  /** Closes the WebSocket, if there is one. */
  async close(): Promise<void> {
    await this.#sockets?.dispose()
    this.#sockets = null
  }

  async *#overHttp(
    operation: string,
    query: string,
    variables: object,
    signal?: AbortSignal,
  ): AsyncGenerator<StreamResult, void> {
    const response = await this.#transport.open({
      operation,
      method: 'POST',
      url: this.#url,
      body: { query, variables },
      headers: { accept: 'text/event-stream' },
      idempotencyKey: null,
      ...(signal && { signal }),
    })
    const events = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const { event, data } of iterate(events)) {
      if (event === 'complete') return
      if (event === 'next') yield JSON.parse(data) as StreamResult
    }
    throw new Error('The connection to the bank was lost.')
  }

  async *#overSocket(
    query: string,
    variables: object,
    signal?: AbortSignal,
  ): AsyncGenerator<StreamResult, void> {
    try {
      yield* this.#overOpenSocket(query, variables, signal)
    } catch (error) {
      // The bank wants its nonce in the proof of the token, and has closed the socket before any result.
      const nonce = nonceIn(error)
      if (nonce === null) throw error
      this.#transport.noteNonce(nonce)
      yield* this.#overOpenSocket(query, variables, signal)
    }
  }

  async *#overOpenSocket(
    query: string,
    variables: object,
    signal?: AbortSignal,
  ): AsyncGenerator<StreamResult, void> {
    this.#sockets ??= createClient({
      url: this.#url.replace(/^http/, 'ws'),
      webSocketImpl: this.#webSocket ?? globalThis.WebSocket,
      connectionParams: () => this.#transport.authorization('GET', this.#url),
      retryAttempts: 0,
      keepAlive: 15_000,
    })
    const results = this.#sockets.iterate({
      query,
      variables: variables as Record<string, unknown>,
    })
    const stop = () => void results.return?.()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      for await (const result of results) yield result as StreamResult
    } finally {
      signal?.removeEventListener('abort', stop)
      stop()
    }
  }
}

/** Returns the nonce in the reason with which the bank closed a socket; null if there is none. */
function nonceIn(error: unknown): string | null {
  const { code, reason } = (error ?? {}) as { code?: unknown; reason?: unknown }
  if (code !== 4401 || typeof reason !== 'string') return null
  return /^use_dpop_nonce (\S+)$/.exec(reason)?.[1] ?? null
}

/** Not all browsers can iterate a stream. */
async function* iterate<Value>(stream: ReadableStream<Value>): AsyncGenerator<Value, void> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

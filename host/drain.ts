import type { FastifyInstance } from 'fastify'

/** How often connections that have become idle are closed while the server closes. */
const idleCheckMs = 50

/**
 * The end of an HTTP server without a connection that is cut. `start` makes every response the last
 * one of its connection, so that clients and balancers connect elsewhere; requests are still
 * answered. `close` stops listening, finishes the requests in flight, and closes idle connections.
 */
export class Drain {
  readonly #app: FastifyInstance
  #isDraining = false

  constructor(app: FastifyInstance) {
    this.#app = app
    // The first hook covers responses that other code writes, the second one the requests that were
    // in flight when the drain started.
    app.addHook('onRequest', (_request, { raw }, done) => {
      if (this.#isDraining) raw.setHeader('connection', 'close')
      done()
    })
    app.addHook('onSend', (_request, reply, payload, done) => {
      if (this.#isDraining) reply.header('connection', 'close')
      done(null, payload)
    })
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  start(): void {
    this.#isDraining = true
  }

  async close(): Promise<void> {
    this.start()
    // A connection whose response began before the drain stays open until the client closes it.
    const timer = setInterval(() => this.#app.server.closeIdleConnections(), idleCheckMs)
    try {
      await this.#app.close()
    } finally {
      clearInterval(timer)
    }
  }
}

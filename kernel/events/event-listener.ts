import type pg from 'pg'
import type { Logger } from 'pino'
import { HostClient } from '../database/database-hosts.ts'

const reconnectMs = 1000
/** How often the listener sends a statement, so that it notices if its server is gone. */
const pingMs = 15_000

/**
 * A connection that is notified of new events. It connects again after it is lost; the heartbeat of
 * the process covers the time in between.
 */
export class EventListener {
  readonly #options: pg.ClientConfig
  readonly #log: Logger
  readonly #onNotification: (payload: string) => void
  #client: pg.Client | null = null
  #isOpen = false

  constructor(options: pg.ClientConfig, log: Logger, onNotification: (payload: string) => void) {
    this.#options = options
    this.#log = log
    this.#onNotification = onNotification
  }

  async start(): Promise<void> {
    this.#isOpen = true
    await this.#connect()
  }

  async stop(): Promise<void> {
    this.#isOpen = false
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    if (!this.#isOpen) return
    const client = new HostClient(this.#options)
    const ping = setInterval(() => void client.query('select').catch(() => undefined), pingMs)
    ping.unref()
    const reconnect = () => {
      clearInterval(ping)
      if (this.#client !== client) return
      this.#client = null
      setTimeout(() => void this.#connect(), reconnectMs).unref()
    }
    this.#client = client
    client.on('error', reconnect)
    client.on('end', reconnect)
    client.on('notification', ({ payload = '' }) => this.#onNotification(payload))
    try {
      await client.connect()
      await client.query('listen bankgraph_events')
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'cannot listen for events')
      reconnect()
    }
  }
}

import type { Duplex } from 'node:stream'
import type pg from 'pg'
import type { Logger } from 'pino'
import { HostClient, type HostOptions } from './database-hosts.ts'

/**
 * All statements are prepared and address rows by their keys, so one plan suits all values. Without
 * this setting, PostgreSQL plans a statement again for each short array, which takes longer than
 * its execution.
 */
const planOnce = '-c plan_cache_mode=force_generic_plan'

/**
 * A connection that sends several statements in one network write and reads the results as they
 * arrive. It connects on first use, and reconnects on the next use after the connection is lost.
 *
 * Through a pooler in transaction mode, each statement outside a transaction is sent between a
 * `begin` and a `commit`. PgBouncer 1.18 takes the server from a client when it has answered all
 * complete requests, even if it has already forwarded the first half of another one. A `begin` is
 * sent and counted as a whole, and the server stays with the client until the `commit`.
 */
export class PipelinedConnection {
  readonly #options: HostOptions
  readonly #log: Logger
  #client: Promise<pg.Client> | null = null
  #isInTransaction = false

  constructor(options: HostOptions, log: Logger) {
    this.#options = options
    this.#log = log
  }

  /**
   * Sends the statements in their order and returns one result per statement, each fulfilled or
   * rejected. Throws only if there is no connection.
   */
  async send(
    statements: readonly (pg.QueryConfig | string)[],
  ): Promise<PromiseSettledResult<pg.QueryResult>[]> {
    const client = await this.#connectedClient()
    // The driver has no API for a single write, so its stream is corked while the statements are
    // queued.
    const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    const submit = this.#options.isPooled ? this.#submitPooled.bind(this) : submitAlone
    const results = statements.map((statement) => submit(client, statement))
    stream.uncork()
    return Promise.allSettled(results)
  }

  /** Sends a statement in a transaction of its own, unless it is part of one. */
  async #submitPooled(
    client: pg.Client,
    statement: pg.QueryConfig | string,
  ): Promise<pg.QueryResult> {
    const text = typeof statement === 'string' ? statement : statement.text
    const isBegin = text.startsWith('begin')
    if (isBegin || this.#isInTransaction) {
      this.#isInTransaction = isBegin || !/^(commit|rollback)$/.test(text)
      return submitAlone(client, statement)
    }
    const results = ['begin', statement, 'commit'].map((each) => submitAlone(client, each))
    const [, own, commit] = await Promise.allSettled(results)
    if (own!.status === 'rejected') throw own!.reason
    if (commit!.status === 'rejected') throw commit!.reason
    return own!.value
  }

  /** Sends one statement. Throws the driver's error. */
  async query<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>> {
    const [result] = await this.send([statement])
    if (result!.status === 'rejected') throw result!.reason
    return result!.value as pg.QueryResult<Row>
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => null)
    await client?.end().catch(() => undefined)
  }

  #connectedClient(): Promise<pg.Client> {
    if (this.#client) return this.#client
    this.#isInTransaction = false
    const client = new HostClient({
      options: planOnce,
      ...this.#options,
      pipeline: true,
    } as HostOptions)
    const connected = this.#connect(client, () => {
      // The old client may end after its replacement was created.
      if (this.#client === connected) this.#client = null
    })
    return (this.#client = connected)
  }

  async #connect(client: pg.Client, evictClient: () => void): Promise<pg.Client> {
    client.on('end', evictClient)
    client.on('error', (error) => {
      evictClient()
      this.#log.warn({ error: error.message }, 'pipelined database connection lost')
    })
    try {
      await client.connect()
      return client
    } catch (error) {
      evictClient()
      throw error
    }
  }
}

const submitAlone = (client: pg.Client, statement: pg.QueryConfig | string) =>
  client.query(statement as pg.QueryConfig)

interface PendingRead {
  statement: pg.QueryConfig
  resolve: (result: pg.QueryResult) => void
  reject: (error: unknown) => void
}

/**
 * A connection for short, batched reads by key. All reads that start in one turn of the event loop
 * are sent in one network write.
 */
export class PipelinedReads {
  readonly #connection: PipelinedConnection
  #pending: PendingRead[] = []

  constructor(options: HostOptions, log: Logger) {
    this.#connection = new PipelinedConnection(options, log)
  }

  /** Runs one read. Throws the driver's error. */
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ statement, resolve: resolve as PendingRead['resolve'], reject })
      if (this.#pending.length === 1) setImmediate(() => void this.#flush())
    })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #flush(): Promise<void> {
    const pending = this.#pending
    this.#pending = []
    try {
      const results = await this.#connection.send(pending.map(({ statement }) => statement))
      results.forEach((result, index) => {
        const { resolve, reject } = pending[index]!
        if (result.status === 'fulfilled') resolve(result.value)
        else reject(result.reason)
      })
    } catch (error) {
      for (const { reject } of pending) reject(error)
    }
  }
}

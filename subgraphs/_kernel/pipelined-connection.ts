import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Logger } from 'pino'

/**
 * One connection that sends several statements in one network write and reads their answers as
 * they come. It connects when it is first used, and again after it was lost.
 */
export class PipelinedConnection {
  readonly #options: pg.ClientConfig
  readonly #log: Logger
  #client: Promise<pg.Client> | null = null

  constructor(options: pg.ClientConfig, log: Logger) {
    this.#options = options
    this.#log = log
  }

  /** Sends the statements in their order. Rejects when there is no connection; each answer may still be a failure. */
  async send(
    statements: readonly (pg.QueryConfig | string)[],
  ): Promise<PromiseSettledResult<pg.QueryResult>[]> {
    const client = await this.#connected()
    // The driver has no name for it: what is corked leaves in one write.
    const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    const sent = statements.map((statement) => client.query(statement as pg.QueryConfig))
    stream.uncork()
    return Promise.allSettled(sent)
  }

  /** Sends one statement. Rejects with the driver's error. */
  async query<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>> {
    const [answer] = await this.send([statement])
    if (answer!.status === 'rejected') throw answer!.reason
    return answer!.value as pg.QueryResult<Row>
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => null)
    await client?.end().catch(() => undefined)
  }

  #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client
    const client = new pg.Client({ ...this.#options, pipeline: true } as pg.ClientConfig)
    const connected = this.#connect(client, () => {
      // A lost one ends a little later, when there may be another.
      if (this.#client === connected) this.#client = null
    })
    return (this.#client = connected)
  }

  async #connect(client: pg.Client, forget: () => void): Promise<pg.Client> {
    client.on('end', forget)
    client.on('error', (error) => {
      forget()
      this.#log.warn({ error: error.message }, 'a pipelined connection was lost')
    })
    try {
      await client.connect()
      return client
    } catch (error) {
      forget()
      throw error
    }
  }
}

interface Asked {
  statement: pg.QueryConfig
  resolve: (result: pg.QueryResult) => void
  reject: (error: unknown) => void
}

/** Short reads by key, for gathered reads: what is asked in one turn of the event loop leaves in one write. */
export class PipelinedReads {
  readonly #connection: PipelinedConnection
  #asked: Asked[] = []

  constructor(options: pg.ClientConfig, log: Logger) {
    this.#connection = new PipelinedConnection(options, log)
  }

  /** Rejects with the driver's error. */
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, resolve: resolve as Asked['resolve'], reject })
      if (this.#asked.length === 1) setImmediate(() => void this.#flush())
    })
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #flush(): Promise<void> {
    const asked = this.#asked
    this.#asked = []
    try {
      const answers = await this.#connection.send(asked.map(({ statement }) => statement))
      answers.forEach((answer, index) => {
        const { resolve, reject } = asked[index]!
        if (answer.status === 'fulfilled') resolve(answer.value)
        else reject(answer.reason)
      })
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}

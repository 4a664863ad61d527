import pg from 'pg'
import type { Logger } from 'pino'
import { statementName } from './statement-name.ts'
import type { EventNews } from './events.ts'
import { Sequencer } from './sequencer.ts'

const ringSize = 10_000
const batchSize = 1000
const idlePollMs = 1000

const columns =
  'position, event_id as "eventId", type, subject, parties, correlation_id as "correlationId"'
const afterSql = `select ${columns} from kernel.event where position > $1 order by position limit $2`
const headSql = 'select position from kernel.head'

/**
 * The log of one environment as this process sees it: one tail reads each event once, keeps the
 * last 10,000, and wakes whoever waits. Readers pull by position, so a slow one costs no memory.
 * What an event holds is read by whoever wants it.
 */
export class EventLog {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #sequencer: Sequencer
  readonly #waiting = new Set<() => void>()
  #ring: EventNews[] = []
  #head = 0n
  #listener: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #reading: Promise<void> | null = null
  #isStale = false
  #isOpen = false

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
    this.#sequencer = new Sequencer(pool, log, () => this.#refresh())
  }

  /** Starts the sequencer and the tail from the present end of the log. */
  async start(): Promise<void> {
    this.#isOpen = true
    this.#head = await this.#storedHead()
    this.#sequencer.start()
    this.#timer = setInterval(() => this.#refresh(), idlePollMs)
    await this.#listen()
  }

  async stop(): Promise<void> {
    this.#isOpen = false
    if (this.#timer) clearInterval(this.#timer)
    await this.#sequencer.stop()
    await this.#reading
    await this.#listener?.end().catch(() => undefined)
    this.#wake()
  }

  /** Says that a commit of this process told something. */
  poke(): void {
    this.#sequencer.poke()
  }

  /** The last position this process has seen. */
  get head(): bigint {
    return this.#head
  }

  /** Up to 1,000 events after a position, from memory where it reaches, else from the database. */
  async after(position: bigint): Promise<EventNews[]> {
    const first = this.#ring[0]
    if (first && position >= first.position - 1n) {
      const start = Number(position - first.position) + 1
      return this.#ring.slice(start, start + batchSize)
    }
    return position >= this.#head ? [] : this.#read(position)
  }

  /** Resolves when there may be events after the position; also when the log stops or `signal` aborts. */
  async moreThan(position: bigint, signal?: AbortSignal): Promise<void> {
    if (this.#head > position || !this.#isOpen || signal?.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal?.addEventListener('abort', done)
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** How many readers wait; a test watches it for leaks. */
  get waiting(): number {
    return this.#waiting.size
  }

  async #storedHead(): Promise<bigint> {
    const { rows } = await this.#pool.query<{ position: string }>(headSql)
    return BigInt(rows[0]!.position)
  }

  async #read(position: bigint): Promise<EventNews[]> {
    const { rows } = await this.#pool.query<Omit<EventNews, 'position'> & { position: string }>({
      name: statementName(afterSql),
      text: afterSql,
      values: [position.toString(), batchSize],
    })
    return rows.map((row) => ({ ...row, position: BigInt(row.position) }))
  }

  /** Reads what is new, one reader at a time; a wish that comes meanwhile is served after it. */
  #refresh(): void {
    this.#isStale = true
    this.#reading ??= this.#readNew()
      .catch((error: Error) => this.#log.warn({ error: error.message }, 'the log cannot be read'))
      .finally(() => (this.#reading = null))
  }

  async #readNew(): Promise<void> {
    while (this.#isStale && this.#isOpen) {
      this.#isStale = false
      for (let events; (events = await this.#read(this.#head)).length > 0;) {
        this.#ring.push(...events)
        if (this.#ring.length > ringSize * 1.5) this.#ring = this.#ring.slice(-ringSize)
        this.#head = events.at(-1)!.position
        this.#wake()
      }
    }
  }

  #wake(): void {
    for (const done of this.#waiting) done()
  }

  /** Other processes' sequencers notify once per batch. The poll covers the time without a listener. */
  async #listen(): Promise<void> {
    if (!this.#isOpen) return
    const client = new pg.Client(this.#pool.options)
    const again = () => {
      if (this.#listener !== client) return
      this.#listener = null
      setTimeout(() => void this.#listen(), idlePollMs).unref()
    }
    this.#listener = client
    client.on('error', again)
    client.on('end', again)
    client.on('notification', () => this.#refresh())
    try {
      await client.connect()
      await client.query('listen bankgraph_events')
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'cannot listen for events')
      again()
    }
  }
}

import pg from 'pg'
import type { Logger } from 'pino'
import { statementName } from './statement-name.ts'
import type { Carrier } from './carrier.ts'
import type { EventNews } from './events.ts'
import { faultPoint } from './fault-point.ts'
import { Sequencer } from './sequencer.ts'

const ringSize = 10_000
const batchSize = 1000
const idlePollMs = 1000
/** How long a batch may be on its way over the broker before it is read from the database. */
const carriedWithinMs = 100
const answeredWithinMs = 2

const columns =
  'position, event_id as "eventId", type, subject, parties, correlation_id as "correlationId"'
const afterSql = `select ${columns} from kernel.event where position > $1 order by position limit $2`
const headSql = 'select position from kernel.head'
const identitySql = `select system_identifier || '/' || oid as identity
  from pg_control_system(), pg_database where datname = current_database()`

/** Whether somebody waits for events of a type. */
export type Wanted = (type: string) => boolean

/** What a broker did for this process since it started. */
export interface BrokerFigures {
  isConnected: boolean
  reconnects: number
  /** Events this process gave to the others. */
  published: number
  /** How often the database was read because something did not come, or not in time. */
  refilledGaps: number
  /** Events that came and were known. */
  duplicates: number
}

/**
 * The log of one environment as this process sees it: one tail reads each event once, keeps the
 * last 10,000, and wakes whoever waits. Readers pull by position, so a slow one costs no memory.
 * Between processes a carrier may bring what one of them has read; the database stays the truth.
 * What an event holds is read by whoever wants it.
 */
export class EventLog {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #carrier: Carrier | null
  readonly #sequencer: Sequencer
  /** Who waits, and for which types; null for any. */
  readonly #waiting = new Map<() => void, Wanted | null>()
  #ring: EventNews[] = []
  #head = 0n
  #listener: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #reading: Promise<void> | null = null
  #isStale = false
  #isOpen = false
  #isRefilling = false
  #refilledGaps = 0
  #duplicates = 0

  constructor(pool: pg.Pool, log: Logger, carrier: Carrier | null = null) {
    this.#pool = pool
    this.#log = log
    this.#carrier = carrier
    this.#sequencer = new Sequencer(pool, log, () => this.#refresh())
  }

  /** Starts the sequencer and the tail from the present end of the log. */
  async start(): Promise<void> {
    this.#isOpen = true
    this.#head = await this.#storedHead()
    this.#carrier?.start(await this.#identity(), (events) => this.#take(events))
    this.#sequencer.start()
    this.#timer = setInterval(() => this.#refresh(), idlePollMs)
    await this.#listen()
  }

  async stop(): Promise<void> {
    this.#isOpen = false
    if (this.#timer) clearInterval(this.#timer)
    await this.#carrier?.stop()
    await this.#sequencer.stop()
    await this.#reading
    await this.#listener?.end().catch(() => undefined)
    this.#wake()
  }

  /** Says that a commit of this process told something. */
  poke(): void {
    this.#sequencer.poke()
  }

  /** Takes what a commit of this process put into the log itself. */
  appended(events: readonly EventNews[]): void {
    const [first] = events
    if (!first || !this.#isOpen) return
    // Behind a gap, everything is read in its order.
    if (first.position > this.#head + 1n) return this.#refresh()
    this.#append(events)
    this.#carrier?.carry(events)
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
    if (this.#head <= position) await this.#wait(null, signal)
  }

  /** Resolves when an event after the position is of a type that is wanted; also when the log stops or `signal` aborts. */
  async heard(position: bigint, wanted: Wanted, signal?: AbortSignal): Promise<void> {
    for (let read = position; this.#head > read;) {
      const events = await this.after(read).catch(() => [])
      if (events.length === 0 || events.some(({ type }) => wanted(type))) return
      read = events.at(-1)!.position
    }
    await this.#wait(wanted, signal)
  }

  async #wait(wanted: Wanted | null, signal?: AbortSignal): Promise<void> {
    if (!this.#isOpen || signal?.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.set(done, wanted)
      signal?.addEventListener('abort', done)
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether a broker brings what other processes have read. */
  get isCarried(): boolean {
    return this.#carrier?.isUp ?? false
  }

  /** Null without a broker. */
  get broker(): BrokerFigures | null {
    if (!this.#carrier) return null
    const { isUp: isConnected, reconnects, published } = this.#carrier
    const [refilledGaps, duplicates] = [this.#refilledGaps, this.#duplicates]
    return { isConnected, reconnects, published, refilledGaps, duplicates }
  }

  /** How many readers wait; a test watches it for leaks. */
  get waiting(): number {
    return this.#waiting.size
  }

  async #storedHead(): Promise<bigint> {
    const { rows } = await this.#pool.query<{ position: string }>(headSql)
    return BigInt(rows[0]!.position)
  }

  /** This log and no other, wherever it is reached at. */
  async #identity(): Promise<string> {
    const { rows } = await this.#pool.query<{ identity: string }>(identitySql)
    return rows[0]!.identity
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
      const isRefilling = this.#isRefilling
      this.#isRefilling = false
      let isNew = false
      for (let events; (events = await this.#read(this.#head)).length > 0;) {
        if (isRefilling) this.#refilledGaps++
        faultPoint('log.read')
        isNew = true
        this.#append(events)
        faultPoint('log.appended')
        this.#carrier?.carry(events)
      }
      if (!isNew) await this.#followStoredHead()
    }
  }

  /**
   * After a failover to a standby that had not received everything, the log ends before what this
   * process has seen, and its positions are given to other events.
   */
  async #followStoredHead(): Promise<void> {
    const seen = this.#head
    const stored = await this.#storedHead()
    if (stored >= seen) return
    this.#log.error({ seen, stored }, 'the event log ends before what was read from it')
    this.#ring = []
    this.#head = stored
    this.#isStale = true
  }

  /** What another process has read; behind a gap, the database says what is missing. */
  #take(events: readonly EventNews[]): void {
    if (events[0] && events[0].position > this.#head + 1n) return this.#refill()
    this.#duplicates += events.filter(({ position }) => position <= this.#head).length
    this.#append(events)
  }

  /** Events without a gap, of which the first may be known. */
  #append(events: readonly EventNews[]): void {
    const news = events.filter(({ position }) => position > this.#head)
    if (news.length === 0) return
    this.#ring.push(...news)
    if (this.#ring.length > ringSize * 1.5) this.#ring = this.#ring.slice(-ringSize)
    this.#head = news.at(-1)!.position
    this.#wake([...new Set(news.map(({ type }) => type))])
  }

  /** The log has grown; up to where, if whoever made it grow says so. With a carrier it is on its way. */
  #notified(end: string): void {
    const head = this.#head
    const isKnown = () => (end ? BigInt(end) <= this.#head : head !== this.#head)
    if (this.#carrier?.isUp) setTimeout(() => isKnown() || this.#refill(), carriedWithinMs).unref()
    // What this process appended itself is told to it as well, often before its commit has answered:
    // whatever has arrived by then is read first.
    else if (end) {
      const look = () => isKnown() || this.#refresh()
      setTimeout(() => setImmediate(look), answeredWithinMs).unref()
    } else this.#refresh()
  }

  /** The broker may have lost something, or is late with it: what the reading finds says so. */
  #refill(): void {
    this.#isRefilling = true
    this.#refresh()
  }

  /** Whoever waits for one of the types, or everybody. */
  #wake(types?: readonly string[]): void {
    for (const [done, wanted] of this.#waiting) {
      if (!types || !wanted || types.some(wanted)) done()
    }
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
    client.on('notification', ({ payload = '' }) => this.#notified(payload))
    try {
      await client.connect()
      await client.query('listen bankgraph_events')
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, 'cannot listen for events')
      again()
    }
  }
}

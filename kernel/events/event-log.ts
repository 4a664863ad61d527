import type pg from 'pg'
import type { Logger } from 'pino'
import type { HostOptions } from '../database/database-hosts.ts'
import type { Heartbeat } from '../database/heartbeat.ts'
import { identityOf } from '../database/identity.ts'
import { statementName } from '../database/statement-name.ts'
import type { BrokerStatistics, EventBroker } from './event-broker.ts'
import type { EventHeader } from './events.ts'
import { EventListener } from './event-listener.ts'
import { faultPoint } from '../environment/fault-point.ts'
import { Sequencer } from './sequencer.ts'

const ringSize = 10_000
const batchSize = 1000
/** How long this process waits for a batch of the broker before it reads the database. */
const brokerDelayMs = 100
const commitResponseDelayMs = 2

const columns =
  'position, event_id as "eventId", type, subject, parties, correlation_id as "correlationId"'
const afterSql = `select ${columns} from kernel.event where position > $1 order by position limit $2`
const headSql = 'select position from kernel.head'

/** Reads the events that have left the database, up to `take` after a position. */
export interface ArchiveReader {
  read(after: bigint, take: number): Promise<EventHeader[]>
}

/** Whether a reader waits for events of a type. */
export type EventTypeFilter = (type: string) => boolean

/**
 * The event log of one environment in this process. It reads each new event once, caches up to
 * 15,000 of the newest headers, and wakes waiting readers. Readers pull by position, so a slow
 * reader costs no memory. A broker may deliver events earlier; the database remains the source of
 * truth. The data of events is read separately.
 */
export class EventLog {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #heartbeat: Heartbeat
  readonly #broker: EventBroker | null
  readonly #archive: ArchiveReader | null
  readonly #sequencer: Sequencer
  readonly #listener: EventListener
  /** Functions that wake the waiting readers, each with a filter; null for any event type. */
  readonly #wakers = new Map<() => void, EventTypeFilter | null>()
  #ring: EventHeader[] = []
  #head = 0n
  #endWatch: () => void = () => undefined
  #reading: Promise<void> | null = null
  #isStale = false
  #isOpen = false
  #isRefilling = false
  #refilledGaps = 0
  #duplicates = 0

  constructor(
    { pool, direct }: { pool: pg.Pool; direct: HostOptions },
    log: Logger,
    heartbeat: Heartbeat,
    broker: EventBroker | null = null,
    archive: ArchiveReader | null = null,
  ) {
    this.#pool = pool
    this.#log = log
    this.#heartbeat = heartbeat
    this.#archive = archive
    this.#broker = broker
    this.#sequencer = new Sequencer(pool, log, () => this.#refresh())
    this.#listener = new EventListener(direct, log, (payload) => this.#onNotification(payload))
  }

  /** Starts the sequencer, and reads new events from the current end of the log. */
  async start(): Promise<void> {
    this.#isOpen = true
    this.#head = await this.#storedHead()
    this.#broker?.start(await identityOf(this.#pool), (events) => this.#take(events))
    this.#sequencer.start(this.#heartbeat)
    // Finds new events without a notification, and a log that was moved back.
    this.#endWatch = this.#heartbeat.watch(headSql, (head) => {
      if (BigInt(head as string) !== this.#head) this.#refresh()
    })
    await this.#listener.start()
  }

  async stop(): Promise<void> {
    this.#isOpen = false
    this.#endWatch()
    await this.#broker?.stop()
    await this.#sequencer.stop()
    await this.#reading
    await this.#listener.stop()
    this.#wake()
  }

  /** Wakes the sequencer. Called after a commit of this process wrote to the outbox. */
  wakeSequencer(): void {
    this.#sequencer.poke()
  }

  /** Adds events that a commit of this process appended directly to the log. */
  addOwnEvents(events: readonly EventHeader[]): void {
    const [first] = events
    if (!first || !this.#isOpen) return
    // After a gap, read all missing events in order from the database.
    if (first.position > this.#head + 1n) return this.#refresh()
    this.#publish(this.#append(events))
  }

  /** The last position that this process has read. */
  get head(): bigint {
    return this.#head
  }

  /**
   * Returns up to 1,000 events after a position, from the cache or else from the database or the
   * archive. Throws EVENT_ARCHIVE_UNAVAILABLE.
   */
  async after(position: bigint): Promise<EventHeader[]> {
    const first = this.#ring[0]
    if (first && position >= first.position - 1n) {
      const start = Number(position - first.position) + 1
      return this.#ring.slice(start, start + batchSize)
    }
    return position >= this.#head ? [] : this.#read(position)
  }

  /** Resolves when there may be events after the position, on stop, or when `signal` aborts. */
  async waitForEvents(position: bigint, signal?: AbortSignal): Promise<void> {
    if (this.#head <= position) await this.#wait(null, signal)
  }

  /** Like `waitForEvents`, but waits only for events that match `filter`. */
  async waitForTypes(position: bigint, filter: EventTypeFilter, signal?: AbortSignal) {
    for (let lastRead = position; this.#head > lastRead;) {
      const events = await this.after(lastRead).catch(() => [])
      if (events.length === 0 || events.some(({ type }) => filter(type))) return
      lastRead = events.at(-1)!.position
    }
    await this.#wait(filter, signal)
  }

  async #wait(filter: EventTypeFilter | null, signal?: AbortSignal): Promise<void> {
    if (!this.#isOpen || signal?.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#wakers.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#wakers.set(done, filter)
      signal?.addEventListener('abort', done)
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether a connected broker delivers the events that other processes have read. */
  get isBrokerConnected(): boolean {
    return this.#broker?.isUp ?? false
  }

  /** The statistics of the broker; null if no broker is configured. */
  get broker(): BrokerStatistics | null {
    if (!this.#broker) return null
    const { isUp: isConnected, reconnects, published } = this.#broker
    const [refilledGaps, duplicates] = [this.#refilledGaps, this.#duplicates]
    return { isConnected, reconnects, published, refilledGaps, duplicates }
  }

  /** The number of waiting readers; a test checks it for leaks. */
  get waitingReaderCount(): number {
    return this.#wakers.size
  }

  async #storedHead(): Promise<bigint> {
    const { rows } = await this.#pool.query<{ position: string }>(headSql)
    return BigInt(rows[0]!.position)
  }

  /** Returns an identifier of this database that does not depend on its network address. */
  async #read(position: bigint): Promise<EventHeader[]> {
    const { rows } = await this.#pool.query<Omit<EventHeader, 'position'> & { position: string }>({
      name: statementName(afterSql),
      text: afterSql,
      values: [position.toString(), batchSize],
    })
    const events = rows.map((row) => ({ ...row, position: BigInt(row.position) }))
    // Positions have no gaps, so what is missing here is in the archive.
    const gap = events.findIndex((event, index) => event.position !== position + BigInt(index + 1))
    if (gap > 0) return events.slice(0, gap)
    if (gap < 0 && (events.length > 0 || position >= this.#head)) return events
    const archived = await this.#archive?.read(position, batchSize)
    return archived?.length ? archived : events
  }

  /** Reads new events from the database. A call during a read starts another read afterwards. */
  #refresh(): void {
    this.#isStale = true
    this.#reading ??= this.#readNew()
      .catch((error: Error) =>
        this.#log.warn({ error: error.message }, 'cannot read the event log'),
      )
      .finally(() => (this.#reading = null))
  }

  async #readNew(): Promise<void> {
    while (this.#isStale && this.#isOpen) {
      this.#isStale = false
      const isRefilling = this.#isRefilling
      this.#isRefilling = false
      let hasNewEvents = false
      for (let events; (events = await this.#read(this.#head)).length > 0;) {
        if (isRefilling) this.#refilledGaps++
        faultPoint('log.read')
        hasNewEvents = true
        const added = this.#append(events)
        faultPoint('log.appended')
        this.#publish(added)
      }
      if (!hasNewEvents) await this.#followStoredHead()
    }
  }

  /**
   * Moves the head back if the log ends before it. This happens after a failover to a standby that
   * lacked some events. The log then assigns their positions to other events.
   */
  async #followStoredHead(): Promise<void> {
    const previousHead = this.#head
    const stored = await this.#storedHead()
    if (stored >= previousHead) return
    this.#log.error(
      { seen: previousHead, stored },
      'the event log ends before a position that was already read',
    )
    this.#ring = []
    this.#head = stored
    this.#isStale = true
  }

  /** Adds events from the broker. After a gap, the missing events are read from the database. */
  #take(events: readonly EventHeader[]): void {
    if (events[0] && events[0].position > this.#head + 1n) return this.#refill()
    this.#duplicates += events.filter(({ position }) => position <= this.#head).length
    this.#append(events)
  }

  /** Tells other processes. What came from the broker, or from a commit during a read, is skipped. */
  #publish(added: readonly EventHeader[]): void {
    if (added.length > 0) this.#broker?.publish(added)
  }

  /** Appends events that leave no gap after the head, and returns those that were not known yet. */
  #append(events: readonly EventHeader[]): EventHeader[] {
    const added = events.filter(({ position }) => position > this.#head)
    if (added.length === 0) return added
    this.#ring.push(...added)
    if (this.#ring.length > ringSize * 1.5) this.#ring = this.#ring.slice(-ringSize)
    this.#head = added.at(-1)!.position
    this.#wake([...new Set(added.map(({ type }) => type))])
    return added
  }

  /** Handles a database notification of new events, which the broker usually delivers, too. */
  #onNotification(lastPosition: string): void {
    const head = this.#head
    const isKnown = () => (lastPosition ? BigInt(lastPosition) <= this.#head : head !== this.#head)
    if (this.#broker?.isUp) setTimeout(() => isKnown() || this.#refill(), brokerDelayMs).unref()
    // This process is also notified of its own events. The delay lets the response to its commit
    // arrive first.
    else if (lastPosition) {
      const refreshIfUnknown = () => isKnown() || this.#refresh()
      setTimeout(() => setImmediate(refreshIfUnknown), commitResponseDelayMs).unref()
    } else this.#refresh()
  }

  /** Reads from the database, because a batch of the broker is missing or late. */
  #refill(): void {
    this.#isRefilling = true
    this.#refresh()
  }

  /** Wakes the readers that wait for one of `types`; all readers if it is omitted. */
  #wake(types?: readonly string[]): void {
    for (const [done, filter] of this.#wakers) {
      if (!types || !filter || types.some(filter)) done()
    }
  }
}

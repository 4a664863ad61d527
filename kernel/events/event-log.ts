import type pg from 'pg'
import type { Logger } from 'pino'
import type { HostOptions } from '../database/database-hosts.ts'
import type { Heartbeat } from '../database/heartbeat.ts'
import { identityOf } from '../database/identity.ts'
import type { BrokerStatistics, EventBroker } from './event-broker.ts'
import { areDifferent, cursorOf, EventRing, type EventBatch, type LogCursor } from './event-ring.ts'
import type { EventHeader } from './events.ts'
import { EventListener } from './event-listener.ts'
import { faultPoint } from '../environment/fault-point.ts'
import { LogLosses, notInLog } from './log-losses.ts'
import { batchSize, endSql, LogReader, parseEnd, type ArchiveReader } from './log-reader.ts'
import { Sequencer } from './sequencer.ts'
import { WaitingReaders, type EventTypeFilter } from './waiting-readers.ts'

/** How long this process waits for a batch of the broker before it reads the database. */
const brokerDelayMs = 100
const commitResponseDelayMs = 2

/**
 * The event log of one environment in this process. It reads each new event once, caches up to
 * 15,000 of the newest headers, and wakes waiting readers. Readers pull by position, so a slow
 * reader costs no memory. A broker may deliver events earlier; the database remains the source of
 * truth. The data of events is read separately.
 *
 * A failover to a standby that lacked some commits loses events, and their positions are assigned
 * to others. Each batch names the event before it, so the process notices, drops what was lost and
 * continues after the last common event. Readers do the same: see `current`.
 */
export class EventLog {
  /** The events that this process had read and that failovers lost. */
  readonly losses = new LogLosses()
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #heartbeat: Heartbeat
  readonly #broker: EventBroker | null
  readonly #reader: LogReader
  readonly #sequencer: Sequencer
  readonly #listener: EventListener
  readonly #waiting = new WaitingReaders()
  readonly #ring = new EventRing()
  #endWatch: () => void = () => undefined
  #reading: Promise<void> | null = null
  #comparing: Promise<void> | null = null
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
    this.#broker = broker
    this.#reader = new LogReader(pool, archive)
    this.#sequencer = new Sequencer(pool, log, () => this.#refresh())
    this.#listener = new EventListener(direct, log, (payload) => this.#onNotification(payload))
  }

  /** Starts the sequencer, and reads new events from the current end of the log. */
  async start(): Promise<void> {
    this.#isOpen = true
    await this.#reader.fill(this.#ring)
    this.#broker?.start(await identityOf(this.#pool), (batch) => this.#take(batch))
    this.#sequencer.start(this.#heartbeat)
    // Finds new events without a notification, and a log that lost events.
    this.#endWatch = this.#heartbeat.watch(endSql, (text) => {
      const stored = parseEnd(text as string)
      const { position, eventId } = this.#ring.end
      const isOther = stored.position !== position || areDifferent(stored.eventId, eventId)
      if (isOther) this.#refresh()
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
    this.#waiting.wake()
  }

  /** Wakes the sequencer. Called after a commit of this process wrote to the outbox. */
  wakeSequencer(): void {
    this.#sequencer.poke()
  }

  /** Adds events that a commit of this process appended directly to the log. */
  addOwnEvents(batch: EventBatch): void {
    if (batch.events.length === 0 || !this.#isOpen) return
    // After a gap or a loss, read all missing events in order from the database.
    if (!this.#mayAppend(batch)) return this.#refresh()
    this.#publish(this.#append(batch.events))
  }

  /** The last position that this process has read. */
  get head(): bigint {
    return this.#ring.end.position
  }

  /** The place after the last event that this process has read. */
  get end(): LogCursor {
    return this.#ring.end
  }

  /** Returns the place after a position, with the event's ID if it is cached. */
  cursorAt(position: bigint): LogCursor {
    return this.#ring.cursorAt(position)
  }

  /**
   * Returns the place where a reader continues: the same one, or the one after the last common
   * event if a failover lost the event before it.
   */
  current(cursor: LogCursor): LogCursor {
    return this.losses.current(cursor)
  }

  /**
   * Checks a place that a client names, if it names an event ID. Throws POSITION_NOT_IN_LOG if the
   * log has another event at the position, or none.
   */
  async requireInLog(cursor: LogCursor): Promise<void> {
    const { position, eventId } = cursor
    if (eventId === null || this.cursorAt(position).eventId === eventId) return
    const common = this.current(cursor)
    if (common !== cursor) throw notInLog(cursor, common)
    if (!(await this.#reader.has(cursor))) throw notInLog(cursor)
  }

  /**
   * Returns up to 1,000 events after the current place of a reader, from the cache or else from the
   * database or the archive. Throws EVENT_ARCHIVE_UNAVAILABLE, and POSITION_NOT_IN_LOG if the event
   * before the place was lost and it is not known where to continue.
   */
  async after(cursor: LogCursor): Promise<EventHeader[]> {
    for (let isCompared = false; ; isCompared = true) {
      const { position, eventId } = this.current(cursor)
      const cached = this.#ring.after(position, batchSize)
      const batch = cached
        ? { after: this.cursorAt(position), events: cached }
        : await this.#reader.read(position, this.head)
      if (!areDifferent(batch.after.eventId, eventId)) return [...batch.events]
      if (isCompared) throw notInLog(cursor)
      await this.#compare()
    }
  }

  /** Resolves when there may be events after a place, on stop, or when `signal` aborts. */
  async waitForEvents(cursor: LogCursor, signal?: AbortSignal): Promise<void> {
    if (this.head <= this.current(cursor).position) await this.#wait(null, signal)
  }

  /** Like `waitForEvents`, but waits only for events that match `filter`. */
  async waitForTypes(cursor: LogCursor, filter: EventTypeFilter, signal?: AbortSignal) {
    for (let last = this.current(cursor); this.head > last.position; last = this.current(last)) {
      const events = await this.after(last).catch(() => [])
      if (events.length === 0 || events.some(({ type }) => filter(type))) return
      last = cursorOf(events.at(-1)!)
    }
    await this.#wait(filter, signal)
  }

  async #wait(filter: EventTypeFilter | null, signal?: AbortSignal): Promise<void> {
    if (this.#isOpen) await this.#waiting.wait(filter, signal)
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
    return this.#waiting.count
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
      for (;;) {
        const batch = await this.#reader.read(this.head, this.head)
        // Without the event before them, the log may end earlier than this process has read.
        const isEndMissing = batch.events.length === 0 && batch.after.eventId === null
        if (isEndMissing || !this.#mayAppend(batch)) await this.#compare()
        if (!this.#mayAppend(batch)) continue
        if (batch.events.length === 0) break
        if (isRefilling) this.#refilledGaps++
        faultPoint('log.read')
        const added = this.#append(batch.events)
        faultPoint('log.appended')
        this.#publish(added)
      }
    }
  }

  /**
   * Compares what this process has read with the log. After a failover to a standby that lacked
   * some events, drops them and goes back to the last common event. The log assigns their positions
   * to other events.
   */
  #compare(): Promise<void> {
    this.#comparing ??= this.#goBackToCommon().finally(() => (this.#comparing = null))
    return this.#comparing
  }

  async #goBackToCommon(): Promise<void> {
    const common = await this.#reader.lastCommon(this.#ring)
    if (!common) return
    const { position: seen } = this.end
    const lost = this.#ring.goBackTo(common)
    this.losses.record(common, lost)
    const details = { seen, common: common.position, lost: lost.length }
    this.#log.error(details, 'a failover lost events that this process had already read')
    this.#waiting.wake()
    this.#refresh()
  }

  /** Adds events from the broker. */
  #take(batch: EventBatch): void {
    const { events } = batch
    // Messages about lost events can still arrive; the database knows whether they returned.
    if (events.some((event) => this.losses.has(event))) return this.#refill()
    if (!this.#mayAppend(batch)) return this.#refill()
    this.#duplicates += events.filter(({ position }) => position <= this.head).length
    this.#append(events)
  }

  /** Tells other processes. What came from the broker, or from a commit during a read, is skipped. */
  #publish(added: readonly EventHeader[]): void {
    if (!added[0]) return
    this.#broker?.publish({ after: this.cursorAt(added[0].position - 1n), events: added })
  }

  /** Whether a batch continues what this process has read, without a gap and without other events. */
  #mayAppend(batch: EventBatch): boolean {
    return !this.#ring.leavesGap(batch) && !this.#ring.conflictsWith(batch)
  }

  /** Appends events, and returns those that were not known yet. */
  #append(events: readonly EventHeader[]): EventHeader[] {
    const added = this.#ring.append(events)
    this.losses.removeReturned(added)
    if (added.length > 0) this.#waiting.wake([...new Set(added.map(({ type }) => type))])
    return added
  }

  /** Handles a database notification of new events, which the broker usually delivers, too. */
  #onNotification(lastPosition: string): void {
    const { head } = this
    const isKnown = () => (lastPosition ? BigInt(lastPosition) <= this.head : head !== this.head)
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
}

import type pg from 'pg'
import { statementName } from '../database/statement-name.ts'
import { areDifferent, type EventBatch, type EventRing, type LogCursor } from './event-ring.ts'
import type { EventHeader } from './events.ts'

/** The maximum number of events in one read. */
export const batchSize = 1000

const columns =
  'position, event_id as "eventId", type, subject, parties, correlation_id as "correlationId"'
// The first row is the event before those that are read, which shows whether the log is the same.
const fromSql = `select ${columns} from kernel.event where position >= $1 order by position limit $2`
const latestSql = `
  select head.position as head, event.* from kernel.head head left join lateral (
    select ${columns} from kernel.event e
    where e.position > head.position - $1::bigint order by e.position) event on true`
const idsSql = `
  select head.position as head, e.position, e.event_id as "eventId"
  from kernel.head head left join kernel.event e on e.position between $1 and $2`
const placeSql = `
  select $1::bigint <= (select position from kernel.head) as "isBeforeEnd",
    kernel.event_id_at($1) as "eventId",
    exists (select from kernel.event_segment where last_position >= $1::bigint) as "isArchived"`

/** The SQL of the end of the log: the last position and the ID of its event, as text. */
export const endSql =
  "select position || ' ' || coalesce(kernel.event_id_at(position), '') from kernel.head"

/** Returns the place that `endSql` describes. */
export function parseEnd(text: string): LogCursor {
  const [position, eventId] = text.split(' ') as [string, string]
  return { position: BigInt(position), eventId: eventId || null }
}

/** Reads the events that have left the database, up to `take` after a position. */
export interface ArchiveReader {
  read(after: bigint, take: number): Promise<EventHeader[]>
}

/** A row of the log's end, and of one event if there is one. */
interface StoredId {
  head: string
  position: string | null
  eventId: string | null
}

interface StoredPlace {
  isBeforeEnd: boolean
  eventId: string | null
  isArchived: boolean
}

type Row = Omit<EventHeader, 'position'> & { position: string }

/** Reads the event log of one environment from the database, and old events from the archive. */
export class LogReader {
  readonly #pool: pg.Pool
  readonly #archive: ArchiveReader | null

  constructor(pool: pg.Pool, archive: ArchiveReader | null) {
    this.#pool = pool
    this.#archive = archive
  }

  /**
   * Reads up to 1,000 events after a position. `head` is a position that the log is known to have
   * reached. Throws EVENT_ARCHIVE_UNAVAILABLE.
   */
  async read(position: bigint, head: bigint): Promise<EventBatch> {
    const rows = await this.#query<Row>(fromSql, [position.toString(), batchSize + 1])
    const events = rows.map(headerOf)
    const isPreviousStored = events[0]?.position === position
    const eventId = isPreviousStored ? events.shift()!.eventId : null
    const after = { position, eventId }
    const gap = gapIn(events, position)
    if (gap > 0) return { after, events: events.slice(0, gap) }
    if (gap < 0 && (events.length > 0 || position >= head)) return { after, events }
    const archived = await this.#archive?.read(position, batchSize)
    return { after, events: archived?.length ? archived : events }
  }

  /** Fills the ring with the newest events, as far as they are in the database without a gap. */
  async fill(ring: EventRing): Promise<void> {
    const rows = await this.#query<Row & { head: string }>(latestSql, [batchSize])
    const head = BigInt(rows[0]!.head)
    const stored = rows.filter(({ position }) => position !== null).map(headerOf)
    let first = stored.length
    for (let position = head; stored[first - 1]?.position === position; position--) first--
    const events = stored.slice(first)
    ring.reset({ position: head - BigInt(events.length), eventId: null }, events)
  }

  /**
   * Compares the ring with the log, backwards. Returns the place after the last event that both
   * have; null if this is the end of the ring, so that nothing was lost.
   */
  async lastCommon(ring: EventRing): Promise<LogCursor | null> {
    const { base, end } = ring
    let head = end.position
    for (let upTo = end.position; upTo >= base.position; upTo -= BigInt(batchSize)) {
      const from = maxOf(base.position, upTo - BigInt(batchSize) + 1n)
      const rows = await this.#query<StoredId>(idsSql, [from.toString(), upTo.toString()])
      head = BigInt(rows[0]!.head)
      const storedIds = new Map(rows.map(({ position, eventId }) => [position, eventId]))
      for (let position = upTo; position >= from; position--) {
        const known = ring.cursorAt(position)
        const storedId = storedIds.get(position.toString()) ?? null
        // An event whose row has left is in the archive, and too old to be lost.
        const isCommon = position <= head && !areDifferent(storedId, known.eventId)
        if (isCommon) return position === end.position ? null : known
      }
    }
    return { position: minOf(head, maxOf(0n, base.position - 1n)), eventId: null }
  }

  /** Whether the log has the event with this ID at this position. Archived events count as equal. */
  async has({ position, eventId }: LogCursor): Promise<boolean> {
    const [place] = await this.#query<StoredPlace>(placeSql, [position.toString()])
    const { isBeforeEnd, eventId: storedId, isArchived } = place!
    return isBeforeEnd && (storedId ? storedId === eventId : isArchived)
  }

  async #query<Result extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<Result[]> {
    const query = { name: statementName(text), text, values: [...values] }
    return (await this.#pool.query<Result>(query)).rows
  }
}

const headerOf = ({
  eventId,
  type,
  subject,
  parties,
  correlationId,
  position,
}: Row): EventHeader => ({
  position: BigInt(position),
  eventId,
  type,
  subject,
  parties,
  correlationId,
})

/** Positions have no gaps, so what is missing here is in the archive. Returns -1 without a gap. */
const gapIn = (events: readonly EventHeader[], after: bigint): number =>
  events.findIndex((event, index) => event.position !== after + BigInt(index + 1))

const maxOf = (one: bigint, other: bigint) => (one > other ? one : other)
const minOf = (one: bigint, other: bigint) => (one < other ? one : other)

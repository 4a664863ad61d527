import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config, EnvironmentName } from '../environment/config.ts'
import { statementName } from '../database/statement-name.ts'
import { matchesType } from '../domain/event-filter.ts'
import { Problem } from '../domain/problem.ts'
import type { ContentStore } from '../storage/content-store.ts'
import { openStore } from '../storage/open-store.ts'
import { matchesTypeSql } from './matches-type-sql.ts'
import { decodeSegment, sha256Of, type ArchivedEvent } from './segment-file.ts'

/** A segment of the event log in the archive. */
export interface Segment {
  firstPosition: string
  lastPosition: string
  objectKey: string
  sha256: string
  previousSha256: string
}

/** Selects events of the archive: all of them without filters. */
export interface ArchiveFilter {
  /** Types, or patterns such as `<area>.*`. */
  types?: readonly string[] | null
  hiddenTypes?: readonly string[]
  subject?: string | null
  /** Only together with `subject`: its sequence number from which events are read. */
  fromSequence?: number
  partyId?: string | null
}

/** Is called before each segment is read. It throws if the result is not needed any more. */
export type BeforeSegment = () => void

/** How many decoded segments are kept, about 2 MB each. */
const maxCachedSegments = 20
/** The columns of a segment. */
export const segmentColumns =
  'first_position as "firstPosition", last_position as "lastPosition", object_key as "objectKey", ' +
  'sha256, previous_sha256 as "previousSha256"'
const ofTypesSql = `select ${segmentColumns} from kernel.event_segment
  where last_position > $1 and ($2::text[] is null or exists (
    select from unnest(types) type where ${matchesTypeSql('type', '$2')}))
  order by last_position limit 1`

/** Returns the SQL of the segment with the position that a subquery found. */
const segmentAt = (positionSql: string) => `
  select ${segmentColumns} from (${positionSql}) found
  cross join lateral (
    select * from kernel.event_segment where last_position >= found.position
    order by last_position limit 1
  ) segment`
// The rows of subjects have the last position in each segment, and the last sequence number.
const ofSubjectSql = segmentAt(
  'select min(position) as position from kernel.archived_subject ' +
    'where subject = $2 and position > $1 and sequence >= $3',
)
const ofPartySql = segmentAt(
  'select min(position) as position from kernel.event_party where party_id = $2 and position > $1',
)
const reachSql =
  'select coalesce(max(last_position), 0) as "lastPosition" from kernel.event_segment'
const idsSql = `select distinct ${segmentColumns} from unnest($1::text[]) event_id
  join kernel.event_segment s on event_id between s.first_event_id and s.last_event_id`

/**
 * Reads the old events of one environment, which have left its database, from object storage. Every
 * object is compared with its hash. All reads throw EVENT_ARCHIVE_UNAVAILABLE if an object is
 * missing, damaged or cannot be read, because an omitted event would be lost for the reader.
 */
export class EventArchive {
  readonly #pool: Pick<pg.Pool, 'query'>
  readonly #config: Config
  readonly #environment: EnvironmentName
  readonly #log: Pick<Logger, 'error'>
  #open: { place: unknown; store: ContentStore } | null = null
  /** The decoded segments by key, the last used one at the end. */
  readonly #segments = new Map<string, Promise<ArchivedEvent[]>>()

  constructor(
    pool: Pick<pg.Pool, 'query'>,
    config: Config,
    environment: EnvironmentName,
    log: Pick<Logger, 'error'>,
  ) {
    this.#pool = pool
    this.#config = config
    this.#environment = environment
    this.#log = log
  }

  get environment(): EnvironmentName {
    return this.#environment
  }

  /** The storage of the archive; null if EVENT_ARCHIVE_URL is not set. */
  get store(): ContentStore | null {
    const place = this.#config.eventArchive?.place
    if (!place) return null
    if (this.#open?.place !== place) {
      this.#open = { place, store: openStore(place, this.#environment) }
    }
    return this.#open.store
  }

  /** Returns the last archived position; 0 if nothing is archived. */
  async reach(): Promise<bigint> {
    return BigInt((await this.#query(reachSql, []))[0]!.lastPosition)
  }

  /**
   * Returns up to `take` archived events after a position, in the order of the event log. With a
   * filter, it may have to read many segments; `beforeSegment` can end that.
   */
  async read(
    after: bigint,
    take: number,
    filter: ArchiveFilter = {},
    beforeSegment: BeforeSegment = () => undefined,
  ): Promise<ArchivedEvent[]> {
    const found: ArchivedEvent[] = []
    if (filter.types?.length === 0) return found
    for (let position = after; found.length < take;) {
      const segment = await this.#nextSegment(position, filter)
      if (!segment) break
      beforeSegment()
      for (const event of await this.events(segment)) {
        if (event.position > position && matches(filter, event)) found.push(event)
      }
      position = BigInt(segment.lastPosition)
    }
    return found.slice(0, take)
  }

  /** Returns the archived events with these IDs. */
  async find(
    eventIds: readonly string[],
    beforeSegment: BeforeSegment = () => undefined,
  ): Promise<ArchivedEvent[]> {
    const wanted = new Set(eventIds)
    const found: ArchivedEvent[] = []
    for (const segment of await this.#query(idsSql, [[...wanted]])) {
      beforeSegment()
      for (const event of await this.events(segment)) {
        if (wanted.has(event.eventId)) found.push(event)
      }
    }
    return found
  }

  /** Returns the events of a segment. */
  async events(segment: Segment): Promise<ArchivedEvent[]> {
    const { objectKey } = segment
    const events = this.#segments.get(objectKey) ?? this.#load(segment)
    this.#segments.delete(objectKey)
    this.#segments.set(objectKey, events)
    for (const oldest of this.#segments.keys()) {
      if (this.#segments.size <= maxCachedSegments) break
      this.#segments.delete(oldest)
    }
    return events.catch((error: unknown) => {
      this.#segments.delete(objectKey)
      this.#log.error({ error, objectKey }, 'a segment of the event archive cannot be read')
      throw new Problem('EVENT_ARCHIVE_UNAVAILABLE', {}, { cause: error })
    })
  }

  async #load({ objectKey, sha256 }: Segment): Promise<ArchivedEvent[]> {
    if (!this.store) throw new Error('EVENT_ARCHIVE_URL is not set.')
    const bytes = await this.store.get(objectKey)
    if (!bytes) throw new Error(`The object ${objectKey} is missing.`)
    if (sha256Of(bytes) !== sha256) throw new Error(`The object ${objectKey} was changed.`)
    return decodeSegment(bytes)
  }

  async #nextSegment(after: bigint, filter: ArchiveFilter): Promise<Segment | undefined> {
    const { subject, fromSequence = 0, partyId, types } = filter
    const [sql, ...values] = subject
      ? [ofSubjectSql, subject, fromSequence]
      : partyId
        ? [ofPartySql, partyId]
        : [ofTypesSql, types ?? null]
    return (await this.#query(sql, [after.toString(), ...values]))[0]
  }

  async #query(text: string, values: readonly unknown[]): Promise<Segment[]> {
    const { rows } = await this.#pool.query<Segment>({
      name: statementName(text),
      text,
      values: [...values],
    })
    return rows
  }
}

function matches(filter: ArchiveFilter, event: ArchivedEvent): boolean {
  const { types, hiddenTypes = [], subject, fromSequence = 0, partyId } = filter
  return (
    !hiddenTypes.includes(event.type) &&
    (!types || types.some((pattern) => matchesType(pattern, event.type))) &&
    (!subject || (event.subject === subject && event.sequence >= fromSequence)) &&
    (!partyId || event.parties.includes(partyId))
  )
}

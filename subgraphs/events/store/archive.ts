import type { Context } from '../../../kernel/environment/context.ts'
import { columnsAs, readRows } from '../../../kernel/database/read-rows.ts'
import { segmentColumns, type Segment } from '../../../kernel/events/event-archive.ts'
import type { ArchivedEvent } from '../../../kernel/events/segment-file.ts'
import { readByAllSql } from '../../../kernel/writing/consumer.ts'
import { initialHash } from '../../../kernel/writing/hash-chain.ts'

/** A range of the event log: `after` is excluded, and `upTo` is included. */
export interface LogRange {
  after: bigint
  upTo: bigint
}

// One statement, because another process may archive the same range at the same time: its segment
// and the rows that it deleted must be seen together.
const nextSql = () => `
  select reach::text as after, ${readByAllSql()}::text as "readUpTo",
    coalesce((select sha256 from kernel.event_segment where last_position = reach),
      '${initialHash}') as "previousSha256", range.events, range.events_are_old as "areOld"
  from (select coalesce(max(last_position), 0) as reach from kernel.event_segment) archived
  cross join lateral (
    select count(*)::int as events, max(time) < $2 as events_are_old
    from kernel.event where position > reach and position <= reach + $1
  ) range`

interface NextRange {
  after: string
  readUpTo: string
  previousSha256: string
  events: number
  areOld: boolean | null
}

/**
 * Returns the next `size` events that can leave the database, and the hash of the segment before
 * them; null if there are none. All of them occurred before a time, and every consumer has read them.
 * Throws an Error if events are missing in the log.
 */
export async function nextRange(
  { bank }: Context,
  size: number,
  before: Date,
): Promise<(LogRange & { previousSha256: string }) | null> {
  const [next] = await readRows<NextRange & Record<string, unknown>>(bank, nextSql(), [
    size,
    before,
  ])
  const { previousSha256, events, areOld } = next!
  const range = { after: BigInt(next!.after), upTo: BigInt(next!.after) + BigInt(size) }
  if (BigInt(next!.readUpTo) < range.upTo) return null
  if (events !== size) {
    throw new Error(`The event log has ${events} of ${size} events after ${range.after}.`)
  }
  return areOld ? { ...range, previousSha256 } : null
}

// The data as text is what the table has, byte by byte.
const eventsSql = `
  select ${columnsAs<ArchivedEvent>('position', 'eventId', 'type', 'subject', 'sequence', 'time')},
    data::text as data, ${columnsAs<ArchivedEvent>('parties', 'correlationId', 'causationId', 'actor')}
  from kernel.event where position > $1 and position <= $2 order by position`

/** Reads the events of a range; fewer if another process has archived some of them. */
export async function readRange({ bank }: Context, range: LogRange): Promise<ArchivedEvent[]> {
  type Row = Omit<ArchivedEvent, 'position'> & { position: string }
  const rows = await readRows<Row>(bank, eventsSql, valuesOf(range))
  return rows.map((row) => ({ ...row, position: BigInt(row.position) }))
}

const insertSql = `
  with segment as (
    insert into kernel.event_segment (first_position, last_position, first_time, last_time,
      first_event_id, last_event_id, types, retained, object_key, bytes, sha256, previous_sha256)
    select min(position), max(position), min(time), max(time), min(event_id), max(event_id),
      array_agg(distinct type), $3::bigint[], $4, $5, $6, $7
    from kernel.event where position > $1 and position <= $2
    having count(*) = $2::bigint - $1::bigint
    on conflict do nothing returning 1
  )
  insert into kernel.archived_subject (subject, sequence, position)
  select subject, max(sequence), max(position) from kernel.event
  where position > $1 and position <= $2 and exists (select from segment)
  group by subject`

/** A stored object with a range of the event log. */
export interface StoredSegment extends LogRange {
  objectKey: string
  bytes: number
  sha256: string
  previousSha256: string
  /** The positions of the events whose rows stay in the table. */
  retained: readonly bigint[]
}

/** Records a segment. Of two processes that store the same range, the first one records it. */
export async function insertSegment({ bank }: Context, segment: StoredSegment): Promise<void> {
  const { retained, objectKey, bytes, sha256, previousSha256 } = segment
  await readRows(bank, insertSql, [
    ...valuesOf(segment),
    retained.map(String),
    objectKey,
    bytes,
    sha256,
    previousSha256,
  ])
}

const unremovedSql = `
  select ${segmentColumns}
  from kernel.event_segment where not is_removed order by first_position limit 1`
const removeSql = `
  delete from kernel.event where position = any(array(
    select e.position from kernel.event e, kernel.event_segment s
    where s.first_position = $1 and e.position between s.first_position and s.last_position
      and e.position <> all(s.retained)
    order by e.position limit $2))`
const removedSql = 'update kernel.event_segment set is_removed = true where first_position = $1'

/** Returns the first segment whose rows are still in the table; null if there is none. */
export async function unremovedSegment({ bank }: Context): Promise<Segment | null> {
  const [segment] = await readRows<Segment & Record<string, string>>(bank, unremovedSql, [])
  return segment ?? null
}

/** Deletes up to `max` rows of a segment from the table. Returns the number of deleted rows. */
export async function deleteRows(
  { bank }: Context,
  { firstPosition }: Segment,
  max: number,
): Promise<number> {
  return (await bank.pool.query(removeSql, [firstPosition, max])).rowCount ?? 0
}

/** Records that the rows of a segment were deleted. */
export async function recordRemoval({ bank }: Context, { firstPosition }: Segment): Promise<void> {
  await bank.pool.query(removedSql, [firstPosition])
}

const valuesOf = ({ after, upTo }: LogRange) => [after.toString(), upTo.toString()]

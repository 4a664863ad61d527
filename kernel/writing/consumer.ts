import type pg from 'pg'
import { readRows } from '../database/read-rows.ts'
import type { Write } from './writes.ts'

const sql =
  'select coalesce((select position from kernel.consumer where name = $1), 0)::text as from, ' +
  '(select position from kernel.head)::text as head'

/** The name of a durable consumer of the event log. */
export type Consumer = string & { readonly isDeclared: unique symbol }

/** For each part of the program that reads the log once, the SQL of the last position that it read. */
const readPositions = new Map<string, string>()

/**
 * Declares a durable consumer, so that no event leaves the log before the consumer has read it. The
 * name must be a constant without quotes. `types` are the event types that it reads, if it stores
 * only the positions of such events.
 */
export function declareConsumer(name: string, types: readonly string[] = []): Consumer {
  const positionSql = `coalesce((select position from kernel.consumer where name = '${name}'), 0)`
  const nextSql =
    `(select min(position) - 1 from kernel.event where position > ${positionSql} ` +
    `and type in (${types.map((type) => `'${type}'`).join(', ')}))`
  declareLogReader(
    name,
    types.length > 0 ? `coalesce(${nextSql}, (select position from kernel.head))` : positionSql,
  )
  return name as Consumer
}

/** Declares a part of the program that stores elsewhere up to which position it has read the log. */
export function declareLogReader(name: string, positionSql: string): void {
  readPositions.set(name, positionSql)
}

/** Returns the SQL of the last position that every part of the program has read. */
export function readByAllSql(): string {
  return `least(${['(select position from kernel.head)', ...readPositions.values()].join(', ')})`
}

/** Returns the names of all declared consumers. */
export function declaredConsumers(): string[] {
  return [...readPositions.keys()]
}

const retainedTypes = new Set<string>()

/** Declares event types whose events never leave the database, because an area reads them by subject. */
export function retainEvents(types: readonly string[]): void {
  for (const type of types) retainedTypes.add(type)
}

/** Whether the events of a type never leave the database. */
export function isRetainedType(type: string): boolean {
  return retainedTypes.has(type)
}

/**
 * Returns the SQL expression that a durable consumer has not processed the whole event log.
 */
export const isBehindSql = (name: Consumer): string =>
  '(select position from kernel.head) > ' +
  `coalesce((select position from kernel.consumer where name = '${name}'), 0)`

/**
 * Returns the range of positions for the next batch of a durable consumer: `from` is the last
 * position it has processed (0 for a new consumer), `to` is the last position of the batch, at most
 * `max` positions later.
 */
export async function readConsumer(
  queries: Pick<pg.Pool, 'query'>,
  name: Consumer,
  max: number,
): Promise<{ from: bigint; to: bigint }> {
  const { rows } = await queries.query<{ from: string; head: string }>(sql, [name])
  const from = BigInt(rows[0]!.from)
  const head = BigInt(rows[0]!.head)
  const limit = from + BigInt(max)
  return { from, to: head < limit ? head : limit }
}

/** An event that a durable consumer has not processed, with members of its data. */
export type NextEvent<Member extends string> = Record<Member, string | null> & {
  position: string
  /** The last position that the consumer has processed. */
  from: string
  time: Date
  type: string
}

/**
 * Returns the next events of some types for a durable consumer that stores only the positions of such
 * events. `members` are the members of their data to return; they must be constants.
 */
export function readNextEvents<Member extends string>(
  bank: Parameters<typeof readRows>[0],
  name: Consumer,
  types: readonly string[],
  members: readonly Member[],
  max: number,
): Promise<NextEvent<Member>[]> {
  const data = members.map((member) => `e.data->>'${member}' as "${member}"`).join(', ')
  const nextSql = `
    with c as (select coalesce((select position from kernel.consumer where name = $1), 0) as position)
    select e.position::text, c.position::text as from, e.time, e.type, ${data}
    from kernel.event e, c
    where e.type = any($2) and e.position > c.position
    order by e.position limit $3`
  return readRows<NextEvent<Member>>(bank, nextSql, [name, types, max])
}

/**
 * Returns the write that advances a consumer beyond the events that `readNextEvents` returned, of which
 * there is at least one.
 */
export function advanceThrough(
  name: Consumer,
  events: readonly { from: string; position: string }[],
): Write {
  return advanceConsumer(name, BigInt(events[0]!.from), BigInt(events.at(-1)!.position))
}

/**
 * Returns the write that advances a consumer, to be committed with its work. If two processes read
 * from the same position, only one of them commits.
 */
export function advanceConsumer(name: Consumer, from: bigint, to: bigint): Write {
  return {
    sql:
      'insert into kernel.consumer as c (name, position) select $1::text, $3::bigint from claim ' +
      'on conflict (name) do update set position = excluded.position ' +
      'where c.position = $2::bigint returning 1',
    values: [name, from.toString(), to.toString()],
    rows: 1,
  }
}

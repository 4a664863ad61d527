import type pg from 'pg'
import type { Write } from './writes.ts'

const sql =
  'select coalesce((select position from kernel.consumer where name = $1), 0)::text as from, ' +
  '(select position from kernel.head)::text as head'

/**
 * Returns the SQL expression that a durable consumer has not processed the whole event log. The name
 * must be a constant without quotes.
 */
export const isBehindSql = (name: string): string =>
  '(select position from kernel.head) > ' +
  `coalesce((select position from kernel.consumer where name = '${name}'), 0)`

/**
 * Returns the range of positions for the next batch of a durable consumer: `from` is the last
 * position it has processed (0 for a new consumer), `to` is the last position of the batch, at most
 * `max` positions later.
 */
export async function readConsumer(
  queries: Pick<pg.Pool, 'query'>,
  name: string,
  max: number,
): Promise<{ from: bigint; to: bigint }> {
  const { rows } = await queries.query<{ from: string; head: string }>(sql, [name])
  const from = BigInt(rows[0]!.from)
  const head = BigInt(rows[0]!.head)
  const limit = from + BigInt(max)
  return { from, to: head < limit ? head : limit }
}

/**
 * Returns the write that advances a consumer, to be committed with its work. If two processes read
 * from the same position, only one of them commits.
 */
export function advanceConsumer(name: string, from: bigint, to: bigint): Write {
  return {
    sql:
      'insert into kernel.consumer as c (name, position) select $1::text, $3::bigint from claim ' +
      'on conflict (name) do update set position = excluded.position ' +
      'where c.position = $2::bigint returning 1',
    values: [name, from.toString(), to.toString()],
    rows: 1,
  }
}

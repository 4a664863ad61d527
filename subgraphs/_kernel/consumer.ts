import type pg from 'pg'
import type { Write } from './writes.ts'

const sql =
  'select coalesce((select position from kernel.consumer where name = $1), 0)::text as from, ' +
  '(select position from kernel.head)::text as head'

/** How far a durable consumer of the log has read, and how far it may read in one go. */
export async function readConsumer(
  queries: Pick<pg.Pool, 'query'>,
  name: string,
  most: number,
): Promise<{ from: bigint; to: bigint }> {
  const { rows } = await queries.query<{ from: string; head: string }>(sql, [name])
  const from = BigInt(rows[0]!.from)
  const head = BigInt(rows[0]!.head)
  const reach = from + BigInt(most)
  return { from, to: head < reach ? head : reach }
}

/** Moves a consumer on, in the commit of what it did. Of two that read from one position, one wins. */
export function moveConsumer(name: string, from: bigint, to: bigint): Write {
  return {
    sql:
      'insert into kernel.consumer as c (name, position) select $1::text, $3::bigint from claim ' +
      'on conflict (name) do update set position = excluded.position ' +
      'where c.position = $2::bigint returning 1',
    values: [name, from.toString(), to.toString()],
    rows: 1,
  }
}

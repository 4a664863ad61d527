import type pg from 'pg'
import { statementName } from './statement-name.ts'

/** An object that runs queries, such as the pool or a single connection. */
export interface Queries {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>
}

/**
 * Reads rows with handwritten SQL, prepared once per connection. Used for the few reads that
 * dominate the response time of a page: for fifty rows, Prisma's model API takes about four times
 * as long.
 */
export async function readRows<Row extends pg.QueryResultRow>(
  { pool }: { pool: Queries },
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name: statementName(text), text, values: [...values] })
  return rows
}

/** Returns a select list that renames columns as Prisma does, such as `party_id as "partyId"`. */
export function columnsAs<Row>(...names: readonly (keyof Row & string)[]): string {
  return names
    .map((name) => `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${name}"`)
    .join(', ')
}

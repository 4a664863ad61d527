import type pg from 'pg'
import type { Bank } from './bank.ts'
import { statementName } from './statement-name.ts'

/**
 * Reads rows with a store's own SQL, prepared once per connection. For the few reads that whole
 * pages hang on: fifty rows through Prisma's model API cost about four times as much.
 */
export async function readRows<Row extends pg.QueryResultRow>(
  { pool }: Bank,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name: statementName(text), text, values: [...values] })
  return rows
}

/** Columns under the names Prisma gives them: `party_id as "partyId"`. */
export function columnsAs<Row>(...names: readonly (keyof Row & string)[]): string {
  return names
    .map((name) => `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${name}"`)
    .join(', ')
}

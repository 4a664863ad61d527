import type pg from 'pg'

/** What is missing in a database, compared with what was acknowledged. */
export interface Losses {
  /** The IDs of parties that were acknowledged and are not stored. */
  lost: string[]
  /** The number of positions in the event log without an event. */
  gaps: number
}

/** Compares the parties and the event log of a database with the IDs that were acknowledged. */
export async function lossesOf(
  query: (sql: string) => Promise<pg.QueryResult | null>,
  acknowledged: readonly string[],
): Promise<Losses> {
  const stored = await query('select party_id as id from parties.party')
  const ids = new Set(stored!.rows.map(({ id }) => id as string))
  const log = await query('select max(position)::int - count(*)::int as gaps from kernel.event')
  return { lost: acknowledged.filter((id) => !ids.has(id)), gaps: log!.rows[0].gaps }
}

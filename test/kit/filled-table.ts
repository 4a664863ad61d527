import type { RunningSubgraph } from './subgraph.ts'

/**
 * Inserts `count` rows into a table without its constraints and triggers. `valueOf` returns the SQL of
 * the value of a column in row `n`.
 */
export async function fillTable(
  bank: Pick<RunningSubgraph, 'rows'>,
  table: string,
  count: number,
  valueOf: (column: string, type: string) => string,
): Promise<void> {
  const columns = await bank.rows(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const checks = await bank.rows(
    "select conname as name from pg_constraint where conrelid = $1::regclass and contype in ('c', 'f')",
    [table],
  )
  for (const { name } of checks) {
    await bank.rows(`alter table ${table} drop constraint "${String(name)}"`)
  }
  await bank.rows(`alter table ${table} disable trigger user`)
  const values = columns.map(({ name, type }) => valueOf(String(name), String(type)))
  const names = columns.map(({ name }) => `"${String(name)}"`)
  await bank.rows(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from generate_series(1, ${count}) n`,
  )
}

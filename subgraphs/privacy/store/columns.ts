import type pg from 'pg'
import type { Column } from '../domain/columns.ts'

const columnsSql = `
  select n.nspname || '.' || c.relname as table, a.attname as name,
    format_type(a.atttypid, null) as type, not a.attnotnull as "isNullable",
    coalesce(a.attnum = any(i.indkey), false) as "isKey"
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'public')
  order by 1, coalesce(array_position(i.indkey::int2[], a.attnum), a.attnum + 100)`

/** Reads the columns of all tables of the database. Those of the primary key come first. */
export async function readColumns(queries: Pick<pg.Pool, 'query'>): Promise<Column[]> {
  return (await queries.query<Column>(columnsSql)).rows
}

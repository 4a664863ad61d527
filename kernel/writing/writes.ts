import { indexColumnsOf } from '../domain/encrypted-columns.ts'

/**
 * One write of a commit, which becomes a part of the commit's single statement. The parameters of
 * `sql` start at `$1`. It selects `from claim`, the part of the statement that claims the
 * idempotency key, so that it writes nothing if the key is already in use. `rows` is the number of
 * rows it must affect.
 */
export interface Write {
  sql: string
  values: readonly unknown[]
  rows: number
  /** A column of the write's single row, whose value the commit returns. */
  answers?: string
  /** The table of the values that are rows encoded as JSON, and the positions of these values. */
  encodes?: { table: string; at: readonly number[] }
}

export type Row = Readonly<Record<string, unknown>>

/**
 * Returns a write that inserts rows. A column that is missing in a row becomes null; column
 * defaults do not apply. Table names are schema-qualified.
 */
export function insert(table: string, ...rows: Row[]): Write {
  return {
    sql: `insert into ${table} select r.* from claim, json_populate_recordset(null::${table}, $1::json) r returning 1`,
    values: [toJson(rows)],
    rows: rows.length,
    encodes: { table, at: [0] },
  }
}

/**
 * Returns a write that updates one row that was read at `version`, and increments its version. If
 * the row has another version at the commit, the command is decided again.
 */
export function update(table: string, key: Row, version: number, changes: Row): Write {
  const match = Object.keys(key).map((column) => `t.${column} = k.${column}`)
  const changed = Object.keys(changes)
  const set = [...changed, ...indexColumnsOf(table, changed)].map(
    (column) => `${column} = r.${column}`,
  )
  return {
    sql:
      `update ${table} t set ${[...set, 'version = t.version + 1'].join(', ')} from claim, ` +
      `json_populate_record(null::${table}, $1::json) k, ` +
      `json_populate_record(null::${table}, $2::json) r ` +
      `where ${match.join(' and ')} and t.version = $3 returning 1`,
    values: [toJson(key), toJson(changes), version],
    rows: 1,
    encodes: { table, at: [1] },
  }
}

/**
 * Returns a write that updates many rows with the same columns. Each row contains its key, the
 * `version` at which it was read, and the changed columns. `having` names a column and the value
 * that it must still have in all of these rows; null if there is no such condition.
 */
export function updateMany(
  table: string,
  key: string,
  rows: readonly Row[],
  having: { column: string; value: unknown } | null = null,
): Write {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== key && name !== 'version')
  const set = [...columns, ...indexColumnsOf(table, columns)].map(
    (column) => `${column} = r.${column}`,
  )
  return {
    sql:
      `update ${table} t set ${[...set, 'version = t.version + 1'].join(', ')} from claim, ` +
      `json_populate_recordset(null::${table}, $1::json) r ` +
      `where t.${key} = r.${key} and t.version = r.version ` +
      `${having ? `and t.${having.column} = $2 ` : ''}returning 1`,
    values: [toJson(rows), ...(having ? [having.value] : [])],
    rows: rows.length,
    encodes: { table, at: [0] },
  }
}

/**
 * Returns a write that locks rows, without changing them, at the versions on which a decision is
 * based. No other command can change these rows before the commit. If one of them has already
 * changed, the command is decided again.
 */
export function lockRows(table: string, key: string, rows: readonly Row[]): Write {
  return {
    sql:
      `select 1 from claim, json_populate_recordset(null::${table}, $1::json) r, ${table} t ` +
      `where t.${key} = r.${key} and t.version = r.version for share of t`,
    values: [toJson(rows)],
    rows: rows.length,
  }
}

/**
 * Encodes a value as JSON for PostgreSQL, with bigint as a string of digits and dates in ISO 8601.
 */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Only a bigint throws. Using a replacer from the start would slow down all rows, and most have
    // no bigint.
    return JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'bigint' ? item.toString() : item,
    )
  }
}

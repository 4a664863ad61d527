/**
 * A write is a value: SQL with its own parameters `$1…`, the number of rows it must touch, and a
 * place in the command's one statement. It selects `from claim`, so that nothing happens when the
 * idempotency key was already taken.
 */
export interface Write {
  sql: string
  values: readonly unknown[]
  rows: number
  /** A column of its one row that the statement answers. */
  answers?: string
}

export type Row = Readonly<Record<string, unknown>>

/** Inserts whole rows; every column is given, null where it has no value. Names are schema-qualified. */
export function insert(table: string, ...rows: Row[]): Write {
  return {
    sql: `insert into ${table} select r.* from claim, json_populate_recordset(null::${table}, $1::json) r returning 1`,
    values: [toJson(rows)],
    rows: rows.length,
  }
}

/**
 * Updates one row, decided on at `version`, and moves its version on by one. When the row has
 * another version by now the command is decided again.
 */
export function update(table: string, key: Row, version: number, changes: Row): Write {
  const match = Object.keys(key).map((column) => `t.${column} = k.${column}`)
  const set = Object.keys(changes).map((column) => `${column} = r.${column}`)
  return {
    sql:
      `update ${table} t set ${[...set, 'version = t.version + 1'].join(', ')} from claim, ` +
      `json_populate_record(null::${table}, $1::json) k, ` +
      `json_populate_record(null::${table}, $2::json) r ` +
      `where ${match.join(' and ')} and t.version = $3 returning 1`,
    values: [toJson(key), toJson(changes), version],
    rows: 1,
  }
}

/** Updates many rows of one shape in one go; each carries its key, the `version` it was decided on and the changes. */
export function updateMany(table: string, key: string, rows: readonly Row[]): Write {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== key && name !== 'version')
  const set = columns.map((column) => `${column} = r.${column}`)
  return {
    sql:
      `update ${table} t set ${[...set, 'version = t.version + 1'].join(', ')} from claim, ` +
      `json_populate_recordset(null::${table}, $1::json) r ` +
      `where t.${key} = r.${key} and t.version = r.version returning 1`,
    values: [toJson(rows)],
    rows: rows.length,
  }
}

/**
 * Changes nothing, and holds rows to the versions a decision was made on until its commit: nobody
 * changes them in between, and when one was changed already the command is decided again.
 */
export function holdRows(table: string, key: string, rows: readonly Row[]): Write {
  return {
    sql:
      `select 1 from claim, json_populate_recordset(null::${table}, $1::json) r, ${table} t ` +
      `where t.${key} = r.${key} and t.version = r.version for share of t`,
    values: [toJson(rows)],
    rows: rows.length,
  }
}

/** JSON for PostgreSQL: bigint as a number's text, dates as ISO 8601. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // Only a bigint throws. A replacer for every value would cost most rows, which have none.
    return JSON.stringify(value, (_key, item: unknown) =>
      typeof item === 'bigint' ? item.toString() : item,
    )
  }
}

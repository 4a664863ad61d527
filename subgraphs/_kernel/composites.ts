import type { Write } from './writes.ts'

/**
 * Inserts many rows whose fields are in the order of the table's columns. PostgreSQL reads such an
 * array of rows in about half the time it takes for JSON; worth it where rows come by the hundred.
 */
export function insertRows(table: string, rows: readonly Fields[]): Write {
  return {
    sql: `insert into ${table} select r.* from claim, unnest($1::${table}[]) r returning 1`,
    values: [composites(rows)],
    rows: rows.length,
  }
}

/** The values of one row, in the order of the columns of its type. */
export type Fields = readonly (string | number | bigint | boolean | Date | null)[]

/** The text of an array of rows, as PostgreSQL reads a value of the type `some_table[]`. */
export function composites(rows: readonly Fields[]): string {
  let text = '{'
  for (const row of rows) {
    let fields = ''
    let isPlain = true
    for (let at = 0; at < row.length; at++) {
      const field = textOf(row[at]!)
      if (field.charCodeAt(0) === quote) isPlain = false
      fields += at === 0 ? field : `,${field}`
    }
    text += `${text.length > 1 ? ',' : ''}"(${isPlain ? fields : escaped(fields)})"`
  }
  return `${text}}`
}

const quote = 34
const plain = /^[\w.:~/+-]+$/

function textOf(value: Fields[number]): string {
  if (typeof value === 'string') return plain.test(value) ? value : `"${escaped(value)}"`
  if (value === null) return ''
  return value instanceof Date ? isoOf(value) : String(value)
}

function escaped(text: string): string {
  const slashed = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return slashed.includes('"') ? slashed.replaceAll('"', '\\"') : slashed
}

let last = { time: Number.NaN, text: '' }

/** Rows of one commit carry one instant, hundreds of times. */
function isoOf(date: Date): string {
  const time = date.getTime()
  if (time !== last.time) last = { time, text: date.toISOString() }
  return last.text
}

import { isoOf } from '../domain/dates.ts'
import type { Write } from './writes.ts'

/**
 * Returns a write that inserts many rows, whose fields are in the order of the table's columns.
 * PostgreSQL parses an array of composites in about half the time of JSON, which matters for
 * hundreds of rows.
 */
export function insertRows(table: string, rows: readonly FieldValues[]): Write {
  return insertTexts(table, rows.map(rowText))
}

/** Returns a write that inserts rows that are already encoded with `rowText`. */
export function insertTexts(table: string, rows: readonly string[]): Write {
  return {
    sql: `insert into ${table} select r.* from claim, unnest($1::${table}[]) r returning 1`,
    values: [arrayOf(rows)],
    rows: rows.length,
  }
}

/** The values of one row, in the order of the table's columns. */
export type FieldValues = readonly (string | number | bigint | boolean | Date | null)[]

/** Encodes rows as a PostgreSQL array of composites, such as `some_table[]`. */
export function composites(rows: readonly FieldValues[]): string {
  return arrayOf(rows.map(rowText))
}

/** Joins rows that `rowText` has encoded into a PostgreSQL array of composites. */
export function arrayOf(rows: readonly string[]): string {
  return rows.length === 0 ? '{}' : `{"(${rows.join(')","(')})"}`
}

/**
 * Encodes one row for an array of composites, without the parentheses. Different rows have
 * different texts. Uses `join`, because repeated concatenation would create many intermediate
 * strings.
 */
export function rowText(row: FieldValues): string {
  return row.map(textOf).join(',')
}

/** Encodes strings as a PostgreSQL `text[]`. */
export function textArray(texts: readonly string[]): string {
  return texts.length === 0 ? '{}' : `{"${texts.map(escaped).join('","')}"}`
}

const plain = /^[\w.:~/+-]+$/

/**
 * Encodes a field of a row in an array. Quotes are escaped twice, for the row and for the array.
 */
function textOf(value: FieldValues[number]): string {
  if (typeof value === 'string') return plain.test(value) ? value : quotedTwice(value)
  if (value === null) return ''
  return value instanceof Date ? isoOf(value) : String(value)
}

function quotedTwice(text: string): string {
  const slashed = text.includes('\\') ? text.replaceAll('\\', '\\\\\\\\') : text
  const quoted = slashed.includes('"') ? slashed.replaceAll('"', '\\\\\\"') : slashed
  return `\\"${quoted}\\"`
}

function escaped(text: string): string {
  const slashed = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return slashed.includes('"') ? slashed.replaceAll('"', '\\"') : slashed
}

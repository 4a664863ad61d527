import {
  columnOf,
  isImpersonalName,
  registeredRows,
  wordsOf,
  type PersonalData,
  type RegisteredRows,
} from '../../../kernel/domain/personal-data.ts'
import type { DataSubject } from './data-subject.ts'

/** A column of the database. */
export interface Column {
  /** The table with its schema, such as `parties.party`. */
  table: string
  name: string
  /** The type as PostgreSQL formats it, such as `text[]`. */
  type: string
  isNullable: boolean
  /** Whether the column belongs to the primary key. */
  isKey: boolean
}

/** Returns the columns of each table. */
export function columnsByTable(columns: readonly Column[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>()
  for (const column of columns) {
    const known = tables.get(column.table)
    if (known) known.push(column)
    else tables.set(column.table, [column])
  }
  return tables
}

/** The types of columns that can contain text about a person. */
const textTypes = new Set(['text', 'text[]', 'character varying', 'json', 'jsonb'])

/**
 * Returns what the register lacks or has too much, one sentence each: tables and text columns that
 * are not declared, and declared tables and columns that do not exist. IDs, hashes and codes need
 * no declaration, and neither do the columns of a table without personal data.
 */
export function faultsOf(register: readonly PersonalData[], columns: readonly Column[]): string[] {
  const tables = columnsByTable(columns)
  const names = register.flatMap((each) => Object.keys(each.tables))
  const withoutData = new Set(
    register.flatMap((each) =>
      Object.entries(each.tables).flatMap(([table, rows]) => (rows === null ? [table] : [])),
    ),
  )
  const rowsOf = new Map<string, RegisteredRows[]>()
  for (const rows of registeredRows(register)) {
    rowsOf.set(rows.table, [...(rowsOf.get(rows.table) ?? []), rows])
  }
  const missing = names.filter((name) => !tables.has(name))
  return [
    ...missing.map((table) => `The table ${table} is declared and does not exist.`),
    ...[...tables].flatMap(([table, own]) => {
      if (withoutData.has(table)) return []
      const declared = rowsOf.get(table)
      if (!declared) return [`The table ${table} is not declared.`]
      return declared.flatMap((rows) => faultsOfTable(rows, own))
    }),
  ]
}

function faultsOfTable(rows: RegisteredRows, columns: readonly Column[]): string[] {
  const declared = [...Object.keys(rows.personal), ...wordsOf(rows.other)]
  const named = [...declared, ...wordsOf(rows.hidden), ...wordsOf(rows.counterparty?.shows)]
  const known = new Set(columns.map(({ name }) => name))
  const undeclared = columns.filter(
    ({ name, type }) =>
      textTypes.has(type) &&
      !declared.includes(name) &&
      (!isImpersonalName(name) || type.startsWith('json')),
  )
  return [
    ...named.flatMap((name) =>
      known.has(name) ? [] : [`The column ${rows.table}.${name} is declared and does not exist.`],
    ),
    ...undeclared.map(
      ({ name }) => `The column ${rows.table}.${name} is neither declared personal nor other.`,
    ),
  ]
}

/**
 * Returns the column, or the SQL condition, by which rows belong to a person; null if they belong to
 * no person of this kind.
 */
export const ownerOf = (rows: RegisteredRows, kind: DataSubject['kind']): string | null =>
  kind === 'party' ? rows.party : (rows.employee ?? null)

/** Returns the SQL condition for the rows of a person, whose ID or username is `$1`. */
export const conditionOf = (party: string): string =>
  /^\w+$/.test(party) ? `${party} = $1` : `(${party})`

/** Returns the name of a table for SQL, with quotes, because some names are keywords. */
export const quotedTable = (table: string): string =>
  table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

/** Returns the personal columns of rows, in their long form. */
export const personalColumnsOf = ({ personal }: RegisteredRows) =>
  Object.entries(personal).map(([name, declared]) => ({ name, ...columnOf(declared) }))

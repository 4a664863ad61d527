/**
 * The language in which an area declares which personal data its tables contain (GDPR article 30).
 * The export of a party's data, its erasure and the page `docs/personal-data.md` are derived from
 * these declarations.
 */
import type { RetentionRuleName } from './retention.ts'

/** The categories of personal data, each with what belongs to it. */
export const dataCategories = {
  identity: 'Names, dates of birth and death, and identifiers of a person.',
  contact: 'Addresses, phone numbers and preferences of contact.',
  financial: 'Account numbers, payments and their texts.',
  credit: 'Financial circumstances, credit decisions and their reasons, and collateral.',
  communication: 'What a person or the bank wrote or said: messages, notes, cases and reasons.',
  document: 'Documents and their names.',
  access: 'User names, credentials and the use of the systems.',
} as const

export type DataCategory = keyof typeof dataCategories

/** Why columns of several areas are not encrypted. */
export const plainReasons = {
  sql: 'Handwritten SQL writes or compares the column.',
  date: 'The database calculates with the date.',
} as const

/** A column with personal data. */
export interface PersonalColumn {
  category: DataCategory
  /** The retention rule, if it is not the rule of the table. */
  rule?: RetentionRuleName
  /**
   * The members of a JSON column that contain personal data, at any depth, separated by blanks.
   * Their texts are replaced; the rest of the value stays.
   */
  members?: string
  /** The SQL expression of the value after erasure. By default null, or a placeholder. */
  erasedTo?: string
  /** Set if the vault encrypts the column (`kernel/environment/vault-columns.ts`). */
  isInVault?: true
  /**
   * Why the column is not encrypted if the bank encrypts personal data. Without it, the column is
   * encrypted.
   */
  plain?: string
  /** Set if the IDs in an encrypted value stay readable, because SQL searches for them. */
  keepsIds?: true
  /**
   * What a search finds in an encrypted column: texts by their first characters, or contact points
   * by their address. The blind index is in the column `<name>_index`.
   */
  index?: 'prefixes' | 'addresses'
}

/** The rows of a table that belong to a party, and what is personal in them. */
export interface PersonalRows {
  /**
   * The column that contains the ID of the party, or an SQL condition with `$1` for that ID; null
   * if the rows belong to no party, such as those about employees.
   */
  party: string | null
  /**
   * The column that contains the username of the employee to whom the rows belong, or an SQL
   * condition with `$1` for that name. If omitted, the rows belong to no employee.
   */
  employee?: string
  rule: RetentionRuleName
  /** The columns with personal data, each with its category. */
  personal: Readonly<Record<string, DataCategory | PersonalColumn>>
  /** Text columns without personal data, separated by blanks. */
  other?: string
  /** Set if erasure deletes the rows instead of clearing their personal columns. */
  isDeleted?: true
  /**
   * An SQL expression for the IDs of all parties to whom a row belongs, as an array. The row is
   * erased after the retention of all of them.
   */
  sharedWith?: string
  /** An SQL condition for rows that may be erased, with the reason why the others are not. */
  erasable?: { when: string; reason: string }
  /**
   * An SQL condition for rows that are only in the bank's own export, because the bank must first
   * decide whether it may disclose them (Directive (EU) 2015/849, article 39; GDPR article 15(4)).
   */
  internal?: string
  /** Columns that are only in the bank's own export, separated by blanks. */
  internalColumns?: string
  /** Columns that no export contains, separated by blanks: secrets, and data of other persons. */
  hidden?: string
  /**
   * The columns that a second party of the rows may see, separated by blanks. `party` is the column
   * with the ID of that party.
   */
  counterparty?: { party: string; shows: string }
  /** Why no export contains the rows, such as that they are copies of exported rows. */
  omitted?: string
}

/** The personal data of an area: its purpose, and its tables with all their schemas. */
export interface PersonalData {
  area: string
  /** The purpose of the processing, as a noun phrase. */
  purpose: string
  /** The declarations by schema-qualified table; null for a table without personal data. */
  tables: Readonly<Record<string, PersonalRows | readonly PersonalRows[] | null>>
}

const declared = new Map<string, PersonalData>()

/** Declares the personal data of an area. Throws an Error if the area is declared twice. */
export function declarePersonalData(
  area: string,
  purpose: string,
  tables: PersonalData['tables'],
): PersonalData {
  if (declared.has(area)) throw new Error(`The personal data of ${area} is declared twice.`)
  const data = { area, purpose, tables }
  declared.set(area, data)
  return data
}

/** Returns the number of areas whose personal data is declared. It only grows. */
export const declaredAreaCount = (): number => declared.size

/** Returns the personal data of all loaded areas, in alphabetical order of the areas. */
export const personalDataRegister = (): PersonalData[] =>
  [...declared.values()].sort((one, other) => (one.area < other.area ? -1 : 1))

/** Rows of a table that belong to a party, with the table and its area. */
export interface RegisteredRows extends PersonalRows {
  area: string
  purpose: string
  table: string
}

/** Returns the declared rows of all tables with personal data, in the order of the register. */
export function registeredRows(register: readonly PersonalData[]): RegisteredRows[] {
  return register.flatMap(({ area, purpose, tables }) =>
    Object.entries(tables).flatMap(([table, rows]) => {
      const each = rows === null ? [] : Array.isArray(rows) ? rows : [rows]
      return (each as PersonalRows[]).map((one) => ({ ...one, area, purpose, table }))
    }),
  )
}

/** Returns the declaration of a column in its long form. */
export const columnOf = (column: DataCategory | PersonalColumn): PersonalColumn =>
  typeof column === 'string' ? { category: column } : column

/** Returns the words of a list that is separated by blanks. */
export const wordsOf = (list: string | undefined): string[] =>
  list?.split(/\s+/).filter((word) => word !== '') ?? []

/**
 * Text columns with these names contain IDs, hashes, codes, enumerations, versions, percentages or
 * the IDs of those who acted, and never need a declaration. An ID is a pseudonym: after erasure it
 * leads to no person.
 */
const impersonalName = new RegExp(
  '(^|_)(id|ids|hash|currency|code|codes|type|kind|status|state|class|mode|version|pct|by)$',
)

/** Whether a text column with this name needs no declaration. */
export const isImpersonalName = (name: string): boolean => impersonalName.test(name)

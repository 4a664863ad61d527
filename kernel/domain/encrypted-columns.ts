import {
  columnOf,
  declaredAreaCount,
  personalDataRegister,
  registeredRows,
  wordsOf,
  type PersonalColumn,
  type PersonalData,
} from './personal-data.ts'

/** A column whose values are encrypted if the bank encrypts personal data. */
export interface EncryptedColumn extends Pick<PersonalColumn, 'keepsIds' | 'index'> {
  /** The members of a JSON column whose texts are encrypted; null for the whole value. */
  members: ReadonlySet<string> | null
}

/** The encrypted columns of a table by their names. */
export type EncryptedColumns = ReadonlyMap<string, EncryptedColumn>

/**
 * Returns the encrypted columns of each table: all personal columns, except those with a reason to
 * be plain and those that their area encrypts.
 */
export function encryptedColumns(register: readonly PersonalData[]): Map<string, EncryptedColumns> {
  const tables = new Map<string, Map<string, EncryptedColumn>>()
  for (const { table, personal } of registeredRows(register)) {
    for (const [name, declared] of Object.entries(personal)) {
      const { plain, isInVault, members, keepsIds, index } = columnOf(declared)
      if (plain !== undefined || isInVault) continue
      const columns = tables.get(table) ?? new Map<string, EncryptedColumn>()
      columns.set(name, {
        members: members === undefined ? null : new Set(wordsOf(members)),
        ...(keepsIds && { keepsIds }),
        ...(index && { index }),
      })
      tables.set(table, columns)
    }
  }
  return tables
}

let derived = { areaCount: 0, tables: new Map<string, EncryptedColumns>() }

/** Returns the encrypted columns of all loaded areas by table. */
export function loadedEncryptedColumns(): ReadonlyMap<string, EncryptedColumns> {
  const areaCount = declaredAreaCount()
  if (derived.areaCount !== areaCount) {
    derived = { areaCount, tables: encryptedColumns(personalDataRegister()) }
  }
  return derived.tables
}

/** Returns the columns with the blind indexes of changed columns of a table. */
export function indexColumnsOf(table: string, changed: readonly string[]): string[] {
  const columns = loadedEncryptedColumns().get(table)
  if (!columns) return []
  return changed.filter((name) => columns.get(name)?.index).map(indexColumnOf)
}

/** Returns the name of the column with the blind index of a column. */
export const indexColumnOf = (name: string): string => `${name}_index`

/** Longer prefixes are not in a blind index. A longer search finds what begins like it. */
const maxIndexedLength = 40

const indexedLetters = (text: string): string[] =>
  Array.from(text.normalize('NFKC').toLowerCase()).slice(0, maxIndexedLength)

/** Returns the prefix under which a blind index has what begins with a text. */
export const indexedPrefix = (text: string): string => indexedLetters(text).join('')

/** Returns the texts under which a value of an indexed column is found. */
export function indexTerms(index: 'prefixes' | 'addresses', value: unknown): string[] {
  if (index === 'addresses') {
    const points = Array.isArray(value) ? (value as { address: string }[]) : []
    return points.map(({ address }) => address)
  }
  if (typeof value !== 'string') return []
  const letters = indexedLetters(value)
  return letters.map((_, position) => letters.slice(0, position + 1).join(''))
}

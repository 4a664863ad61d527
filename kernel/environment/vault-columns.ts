import type { Vault } from './vault.ts'

/** A column whose texts the vault encrypts, each for its row and its column. */
export interface VaultColumn {
  /** The table with its schema, such as `assist.message`. */
  table: string
  column: string
  /** The column of the primary key, a text. */
  key: string
  /** The place of a text, with columns of the row in braces, such as `assist-message/{message_id}`. */
  place: string
  /** The place for which earlier versions encrypted, if it was another one. */
  formerPlace?: string
  /** Set if the column has a JSON list, whose items have the text in their member `encrypted`. */
  isList?: true
}

/** The columns of a row that its places name, with the names of the database. */
export type PlacedRow = Readonly<Record<string, unknown>>

const declared = new Map<string, VaultColumn>()

/** Declares a column. The job `privacy.reencrypt` encrypts its texts again after a rotation. */
export function vaultColumn(column: VaultColumn): VaultColumn {
  declared.set(`${column.table}.${column.column}`, column)
  return column
}

/** Returns the declared columns of all loaded areas. */
export const vaultColumns = (): VaultColumn[] => [...declared.values()]

/** Returns the declaration of a column. Throws an Error if there is none. */
export function vaultColumnOf(table: string, column: string): VaultColumn {
  const found = declared.get(`${table}.${column}`)
  if (!found) throw new Error(`The column ${table}.${column} is not declared as encrypted.`)
  return found
}

const placeIn = (pattern: string, row: PlacedRow): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name]))

/** Encrypts a text for a column of a row. */
export const encryptIn = (vault: Vault, { place }: VaultColumn, text: string, row: PlacedRow) =>
  vault.encrypt(text, placeIn(place, row))

/**
 * Decrypts a text of a column of a row. Throws if it was encrypted for another row or column. A text
 * of an earlier version may still be encrypted for its former place.
 */
export function decryptIn(
  vault: Vault,
  { place, formerPlace }: VaultColumn,
  encrypted: string,
  row: PlacedRow,
): string {
  try {
    return vault.decrypt(encrypted, placeIn(place, row))
  } catch (error) {
    if (formerPlace === undefined) throw error
    return vault.decrypt(encrypted, placeIn(formerPlace, row))
  }
}

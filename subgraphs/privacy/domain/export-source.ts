import {
  registeredRows,
  wordsOf,
  type PersonalData,
  type RegisteredRows,
} from '../../../kernel/domain/personal-data.ts'
import { retentionRules } from '../../../kernel/domain/retention.ts'
import { conditionOf, ownerOf, personalColumnsOf, type Column } from './columns.ts'
import type { DataSubject } from './data-subject.ts'

/** Rows of one table that belong to the export of a party or an employee. */
export interface ExportSource {
  area: string
  purpose: string
  table: string
  /** The SQL condition for the rows; `$1` is the ID of the party, or the username. */
  condition: string
  columns: readonly Column[]
  /** The columns that the vault encrypts. */
  inVault: ReadonlySet<string>
  /** Why the bank stores the rows, and for how long. */
  retention: string
}

/** Columns with these names say nothing about a person. */
const technicalName = /(^|_)(hash|lease_id|lease_until|version|stamp|fingerprint)$/

/**
 * Returns the sources of an export, in the order of the register. The export of the bank has rows
 * that the bank must review before it discloses them; the person's own export has not.
 */
export function exportSources(
  register: readonly PersonalData[],
  tables: ReadonlyMap<string, readonly Column[]>,
  isForBank: boolean,
  kind: DataSubject['kind'] = 'party',
): ExportSource[] {
  return registeredRows(register).flatMap((rows) => {
    const owner = ownerOf(rows, kind)
    if (owner === null || rows.omitted !== undefined) return []
    const columns = tables.get(rows.table)!
    const source = sourceOf(rows, conditionOf(owner), columns, isForBank)
    const hasOtherSide = kind === 'party' && rows.counterparty
    return hasOtherSide ? [source, counterpartySource(rows, columns)] : [source]
  })
}

function sourceOf(
  rows: RegisteredRows,
  condition: string,
  columns: readonly Column[],
  isForBank: boolean,
): ExportSource {
  const { area, purpose, table, rule, internal } = rows
  const hidden = new Set([
    ...wordsOf(rows.hidden),
    ...(isForBank ? [] : wordsOf(rows.internalColumns)),
  ])
  const inVault = personalColumnsOf(rows).flatMap(({ name, isInVault }) =>
    isInVault ? [name] : [],
  )
  return {
    area,
    purpose,
    table,
    condition:
      isForBank || internal === undefined
        ? condition
        : `${condition} and (${internal}) is not true`,
    columns: columns.filter(({ name }) => !hidden.has(name) && !technicalName.test(name)),
    inVault: new Set(inVault),
    retention: retentionRules[rule].reason,
  }
}

/** The rows in which the party is the other side, with the columns that it may see. */
function counterpartySource(rows: RegisteredRows, columns: readonly Column[]): ExportSource {
  const { party, shows } = rows.counterparty!
  const shown = wordsOf(shows)
  const own = conditionOf(rows.party!)
  return {
    ...sourceOf(rows, own, columns, false),
    condition: `${conditionOf(party)} and not coalesce(${own}, false)`,
    columns: columns.filter(({ name }) => shown.includes(name)),
  }
}

/** Returns the name of a column as a member of JSON, such as `givenName` for `given_name`. */
export const memberNameOf = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

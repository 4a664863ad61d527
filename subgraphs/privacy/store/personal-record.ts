import { decryptIn, vaultColumnOf } from '../../../kernel/environment/vault-columns.ts'
import { personalDataRegister } from '../../../kernel/domain/personal-data.ts'
import { statementName } from '../../../kernel/database/statement-name.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { columnsByTable, quotedTable, type Column } from '../domain/columns.ts'
import { exportSources, memberNameOf, type ExportSource } from '../domain/export-source.ts'
import { subjectOf } from '../domain/data-subject.ts'
import type { DataExport, PersonalRecord } from '../model/data-export.ts'
import { readColumns } from './columns.ts'

/** A record of an export, with its place in the order of the export. */
export interface OrderedRecord extends PersonalRecord {
  sortKey: string[]
}

/**
 * Reads the records about a person, in the order of the register and of their primary keys. `after`
 * is the sort key of the last record of the previous page. A page reads each table once.
 */
export async function readPersonalRecords(
  context: Context,
  { isForBank, ...request }: Pick<DataExport, 'partyId' | 'username' | 'isForBank'>,
  after: string[] | null,
  take: number,
): Promise<OrderedRecord[]> {
  const { kind, id } = subjectOf(request)
  const tables = columnsByTable(await readColumns(context.bank.pool))
  const sources = exportSources(personalDataRegister(), tables, isForBank, kind)
  const [first = '0', ...afterKey] = after ?? []
  const found: OrderedRecord[] = []
  for (let index = Number(first); index < sources.length && found.length < take; index++) {
    const from = index === Number(first) ? afterKey : []
    const rows = await readSource(context, sources[index]!, id, from, take - found.length)
    for (const row of rows) found.push(recordOf(context, sources[index]!, index, row))
  }
  return found
}

type SourceRow = Record<string, unknown> & { sort_key: string[] }

const keyOf = (columns: readonly Column[]) =>
  columns.flatMap(({ name, isKey }) => (isKey ? [`t."${name}"::text`] : [])).join(', ')

/** Dates are read as text, because a date without a time has no time zone. */
const selected = ({ name, type }: Column) =>
  type === 'date' ? `t."${name}"::text as "${name}"` : `t."${name}"`

async function readSource(
  { bank }: Context,
  { table, condition, columns }: ExportSource,
  id: string,
  after: readonly string[],
  take: number,
): Promise<SourceRow[]> {
  const key = `array[${keyOf(columns)}]::text[]`
  const text =
    `select ${key} as sort_key, ${columns.map(selected).join(', ')} from ${quotedTable(table)} t ` +
    `where (${condition}) and ${key} > $2::text[] order by 1 limit $3`
  const values = [id, after, take]
  return (await bank.pool.query<SourceRow>({ name: statementName(text), text, values })).rows
}

function recordOf(
  { bank }: Context,
  source: ExportSource,
  index: number,
  { sort_key: key, ...row }: SourceRow,
): OrderedRecord {
  const { area, purpose, table, retention, inVault } = source
  const values = Object.entries(row).map(([name, value]) => {
    const isEncrypted = inVault.has(name) && typeof value === 'string'
    const column = isEncrypted ? vaultColumnOf(table, name) : null
    const plain = column ? decryptIn(bank.vault, column, value as string, row) : value
    return [memberNameOf(name), plain] as const
  })
  const data = JSON.parse(JSON.stringify(Object.fromEntries(values))) as object
  return { area, purpose, table, retention, data, sortKey: [`${index}`, ...key] }
}

import { isLockTimeout } from '../../../kernel/database/sql-errors.ts'
import type pg from 'pg'
import type { EncryptedColumns } from '../../../kernel/domain/encrypted-columns.ts'
import { indexColumnOf } from '../../../kernel/domain/encrypted-columns.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { noncharacter } from '../../../kernel/domain/unstorable.ts'
import { quotedTable, type Column } from '../domain/columns.ts'

/** A table whose rows are encrypted, with its primary key and its encrypted columns. */
export interface EncryptedTable {
  table: string
  keys: readonly Column[]
  columns: readonly Column[]
  encrypted: EncryptedColumns
}

/** How far the job is with a table. */
export interface Progress {
  target: string
  /** The primary key of the last row that was read; empty at the beginning. */
  after: readonly string[]
  finishedAt: Date | null
}

const progressSql =
  'select table_name as "table", target, after, finished_at as "finishedAt" ' +
  'from kernel.encryption_progress where table_name = any($1)'
const saveSql =
  'insert into kernel.encryption_progress as p values ($1, $2, $3, $4, $5, ' +
  'case when $6 then now() end) on conflict (table_name) do update set target = $2, after = $3, ' +
  'row_count = $4 + case when p.target = $2 then p.row_count else 0 end, ' +
  'changed_count = $5 + case when p.target = $2 then p.changed_count else 0 end, ' +
  'finished_at = excluded.finished_at'

/** Reads how far the job is with tables, by table; those that it has not begun are left out. */
export async function readProgress(
  { pool }: Bank,
  tables: readonly string[],
): Promise<Map<string, Progress>> {
  const { rows } = await pool.query<Progress & { table: string }>(progressSql, [tables])
  return new Map(rows.map(({ table, ...progress }) => [table, progress]))
}

/** A value as it is stored, in hexadecimal, so that it is not decrypted when it is read. */
type StoredRow = Record<string, string | null> & { key: never }

/** Reads the next rows of a table as they are stored, in the order of the primary key. */
async function readStored(
  pool: pg.Pool,
  { table, keys, columns }: EncryptedTable,
  after: readonly string[],
  take: number,
): Promise<StoredRow[]> {
  const names = keys.map(({ name }) => `t."${name}"`)
  const from = keys.map(({ type }, index) => `$${index + 2}::${type}`)
  const values = columns.map(
    ({ name }) => `encode(convert_to(t."${name}"::text, 'UTF8'), 'hex') as "${name}"`,
  )
  const sql =
    `select array[${names.map((name) => `${name}::text`).join(', ')}] as " key", ` +
    `${values.join(', ')} from ${quotedTable(table)} t ` +
    (after.length > 0 ? `where (${names.join(', ')}) > (${from.join(', ')}) ` : '') +
    `order by ${names.join(', ')} limit $1`
  return (await pool.query<StoredRow>(sql, [take, ...after])).rows
}

/** What stays of stored text without the bytes: which parts are encrypted with which keys. */
const shapeOf = (text: string): string =>
  text.replaceAll(
    new RegExp(`${noncharacter}(\\w~\\w+~\\d+)~[^${noncharacter}]*${noncharacter}`, 'g'),
    '<$1>',
  )

interface Change {
  name: string
  type: string
  before: string
  after: string
  index: string[] | null
}

/** Returns how a stored value changes; null if it is already as it would be written now. */
function changeOf(
  { cipher }: Bank,
  { table, encrypted }: EncryptedTable,
  { name, type }: Column,
  hex: string | null,
): Change | null {
  if (hex === null) return null
  const raw = Buffer.from(hex, 'hex').toString()
  const isJson = type.startsWith('json')
  const plain = isJson ? (JSON.parse(cipher.decryptJson(raw)) as unknown) : cipher.decryptText(raw)
  const value = cipher.encryptValue(table, name, plain)
  const after = isJson ? JSON.stringify(value) : (value as string)
  const canonical = isJson ? JSON.stringify(JSON.parse(raw)) : raw
  if (shapeOf(canonical) === shapeOf(after)) return null
  const { index } = encrypted.get(name)!
  const terms = index && cipher.isOn ? cipher.indexOf(table, index, plain) : null
  return { name, type, before: hex, after, index: terms }
}

/**
 * Encrypts, decrypts or re-encrypts the next rows of a table, as rows are written now. A row that a
 * command changes at the same time is left to the command. Returns the number of rows that were
 * read; null if a command held a lock for too long, so that the batch must be repeated.
 */
export async function encryptBatch(
  bank: Bank,
  table: EncryptedTable,
  progress: Progress,
  take: number,
): Promise<number | null> {
  const rows = await readStored(bank.pool, table, progress.after, take)
  const client = await bank.pool.connect()
  // An unhandled 'error' event would end the process. The next query fails anyway.
  const ignore = () => undefined
  client.on('error', ignore)
  let changed = 0
  try {
    await client.query('begin')
    // Append-only tables allow changes that do not change what a row says.
    await client.query("select set_config('bank.erasure', $1::regclass::text, true)", [
      quotedTable(table.table),
    ])
    for (const row of rows) changed += await updateRow(client, bank, table, row)
    const last = (rows.at(-1)?.[' key'] as string[] | null | undefined) ?? progress.after
    const isDone = rows.length < take
    await client.query(saveSql, [table.table, progress.target, last, rows.length, changed, isDone])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(ignore)
    if (isLockTimeout(error)) return null
    throw error
  } finally {
    client.off('error', ignore)
    client.release()
  }
  return rows.length
}

async function updateRow(
  client: pg.PoolClient,
  bank: Bank,
  table: EncryptedTable,
  row: StoredRow,
): Promise<number> {
  const key = row[' key'] as unknown as string[]
  const changes = table.columns.flatMap(
    (each) => changeOf(bank, table, each, row[each.name]!) ?? [],
  )
  if (changes.length === 0) return 0
  const values: unknown[] = [...key]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const assignments = changes.flatMap(({ name, type, after, index }) => [
    `"${name}" = ${parameter(after)}::${type}`,
    ...(table.encrypted.get(name)!.index
      ? [`"${indexColumnOf(name)}" = ${parameter(index)}::text[]`]
      : []),
  ])
  const conditions = [
    ...table.keys.map(({ name, type }, index) => `t."${name}" = $${index + 1}::${type}`),
    ...changes.map(
      ({ name, before }) =>
        `convert_to(t."${name}"::text, 'UTF8') = decode(${parameter(before)}, 'hex')`,
    ),
  ]
  const sql =
    `update ${quotedTable(table.table)} t set ${assignments.join(', ')} ` +
    `where ${conditions.join(' and ')}`
  return (await client.query(sql, values)).rowCount ?? 0
}

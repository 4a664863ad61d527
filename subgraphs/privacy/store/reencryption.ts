import type pg from 'pg'
import { isLockTimeout } from '../../../kernel/database/sql-errors.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import {
  decryptIn,
  encryptIn,
  type VaultColumn,
} from '../../../kernel/environment/vault-columns.ts'
import { quotedTable } from '../domain/columns.ts'

interface Progress {
  name: string
  target: string
  after: string[]
  isFinished: boolean
  /** Whether it was finished so long ago that every process encrypts with the new key since. */
  isSettled: boolean
}

const createSql =
  "insert into kernel.encryption_progress values ($1, '', '{}', 0, 0, null) on conflict do nothing"
const progressSql =
  'select table_name as "name", target, after, finished_at is not null as "isFinished", ' +
  'coalesce(finished_at < now() - interval \'1 hour\', false) as "isSettled" ' +
  'from kernel.encryption_progress where table_name = any($1)'
/** Another process that works on the column has locked the row. */
const lockSql = `${progressSql} for update skip locked`
const saveSql =
  'update kernel.encryption_progress set target = $2, after = $3, ' +
  'row_count = $4 + case when target = $2 then row_count else 0 end, ' +
  'changed_count = $5 + case when target = $2 then changed_count else 0 end, ' +
  'finished_at = case when $6 then now() end where table_name = $1'

const nameOf = ({ table, column }: VaultColumn): string => `vault ${table}.${column}`

/**
 * Returns what the next pass over a column changes its texts to; null if there is nothing to do. A
 * second pass, an hour after the first one, changes the texts that other processes wrote meanwhile
 * with the former key.
 */
function targetOf({ target, isFinished, isSettled }: Progress, keyId: string): string | null {
  const [first, second] = [`${keyId}/1`, `${keyId}/2`]
  if (target === second) return isFinished ? null : second
  if (target !== first || !isFinished) return first
  return isSettled ? second : null
}

/** Returns the columns with texts that are not yet encrypted with the current key. */
export async function unfinishedColumns(
  { pool, vault }: Bank,
  columns: readonly VaultColumn[],
): Promise<VaultColumn[]> {
  const { rows } = await pool.query<Progress>(progressSql, [columns.map(nameOf)])
  const known = new Map(rows.map((progress) => [progress.name, progress]))
  return columns.filter((column) => {
    const progress = known.get(nameOf(column))
    return !progress || targetOf(progress, vault.currentKeyId) !== null
  })
}

/**
 * Encrypts the next texts of a column with the current key, each for its row and column, in one
 * transaction with the progress. Returns the number of rows that were read: 0 if the column is done,
 * another process works on it, or a command held a lock for too long. The next run continues.
 */
export async function reencryptBatch(
  bank: Bank,
  column: VaultColumn,
  take: number,
): Promise<number> {
  const client = await bank.pool.connect()
  // An unhandled 'error' event would end the process. The next query fails anyway.
  const ignore = () => undefined
  client.on('error', ignore)
  try {
    await client.query('begin')
    const read = await reencryptNext(client, bank, column, take)
    await client.query('commit')
    return read
  } catch (error) {
    await client.query('rollback').catch(ignore)
    if (isLockTimeout(error)) return 0
    throw error
  } finally {
    client.off('error', ignore)
    client.release()
  }
}

async function reencryptNext(
  client: pg.PoolClient,
  bank: Bank,
  column: VaultColumn,
  take: number,
): Promise<number> {
  const name = nameOf(column)
  await client.query(createSql, [name])
  const [progress] = (await client.query<Progress>(lockSql, [[name]])).rows
  const target = progress && targetOf(progress, bank.vault.currentKeyId)
  if (!progress || !target) return 0
  const after = progress.target === target ? progress.after : []
  const rows = await readNext(client, column, after, take)
  let changed = 0
  for (const row of rows) changed += await reencryptRow(client, bank, column, row)
  const last = rows.at(-1)?.[column.key]
  const position = last === undefined ? after : [last]
  const isDone = rows.length < take
  await client.query(saveSql, [name, target, position, rows.length, changed, isDone])
  return rows.length
}

type StoredRow = Record<string, string> & { version_id: string; value: string }

/** Reads the next rows, in the order of the primary key. */
async function readNext(
  client: pg.PoolClient,
  { table, column, key }: VaultColumn,
  after: readonly string[],
  take: number,
): Promise<StoredRow[]> {
  const sql =
    `select t.*, t.xmin::text as version_id, t."${column}"::text as value ` +
    `from ${quotedTable(table)} t where t."${key}" > $1 and t."${column}" is not null ` +
    `order by t."${key}" limit $2`
  return (await client.query<StoredRow>(sql, [after[0] ?? '', take])).rows
}

/** Encrypts the texts of a row. A row that somebody changes at the same time is left to them. */
async function reencryptRow(
  client: pg.PoolClient,
  { vault, cipher }: Bank,
  column: VaultColumn,
  row: StoredRow,
): Promise<number> {
  const again = (encrypted: string) =>
    encryptIn(vault, column, decryptIn(vault, column, encrypted, row), row)
  const { table, column: name, key } = column
  const items = column.isList ? (JSON.parse(row.value) as { encrypted: string }[]) : []
  const value = column.isList
    ? JSON.stringify(items.map((item) => ({ ...item, encrypted: again(item.encrypted) })))
    : cipher.encryptValue(table, name, again(row.value))
  const sql =
    `update ${quotedTable(table)} t set "${name}" = $1 ` +
    `where t."${key}" = $2 and t.xmin::text = $3`
  const { rowCount } = await client.query(sql, [value, row[key], row.version_id])
  return rowCount ?? 0
}

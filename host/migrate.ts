import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { databaseOptions, HostClient } from '../kernel/database/database-hosts.ts'
import { projectRoot } from '../kernel/environment/root.ts'

interface Migration {
  name: string
  sql: string
  checksum: string
}

interface AppliedMigration {
  migration_name: string
  checksum: string
  finished_at: Date | null
}

/**
 * The advisory lock of `prisma migrate deploy`. Both programs use it, so that either can migrate a
 * database.
 */
const prismaLockId = 72_707_369
const createTable = `
create table if not exists public._prisma_migrations (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`

/**
 * Applies the pending migrations of `folder`, each in one transaction with its record, and returns
 * their names. Several processes can migrate at the same time.
 * Throws an Error if the file of an applied migration was changed or is missing, or if a migration
 * is recorded as failed.
 */
export async function migrate(
  databaseUrl: string,
  folder = join(projectRoot, 'prisma', 'migrations'),
): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = new HostClient({
    ...databaseOptions(databaseUrl),
    application_name: 'bankgraph migrate',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    if (pendingMigrations(migrations, await readApplied(client), folder).length === 0) return []
    await client.query('select pg_advisory_lock($1)', [prismaLockId])
    await client.query(createTable)
    const pending = pendingMigrations(migrations, await readApplied(client), folder)
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    // Closing the session releases the lock.
    await client.end()
  }
}

/** Reads the migrations of a folder in order, with the checksums that Prisma uses. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function readApplied(client: Client): Promise<AppliedMigration[]> {
  try {
    const { rows } = await client.query<AppliedMigration>(
      `select migration_name, checksum, finished_at from public._prisma_migrations
       where rolled_back_at is null`,
    )
    return rows
  } catch (error) {
    // If the table does not exist (undefined_table), no migration was applied yet.
    if ((error as { code?: string }).code === '42P01') return []
    throw error
  }
}

function pendingMigrations(migrations: Migration[], applied: AppliedMigration[], folder: string) {
  const files = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { migration_name: name, checksum, finished_at: finishedAt } of applied) {
    const file = files.get(name)
    if (!file) throw new Error(`The database has migration ${name}, but ${folder} does not.`)
    if (file.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it was applied to the database. ` +
          'Restore the file and put the change into a new migration.',
      )
    }
    if (finishedAt === null) {
      throw new Error(
        `Migration ${name} failed halfway in an earlier run. Repair the database by hand, then ` +
          `mark the migration with "prisma migrate resolve".`,
      )
    }
    files.delete(name)
  }
  return [...files.values()]
}

async function apply(client: Client, { name, sql, checksum }: Migration) {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query(
      `insert into public._prisma_migrations
         (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       values ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Migration ${name} failed and was rolled back: ${(cause as Error).message}`, {
      cause,
    })
  }
}

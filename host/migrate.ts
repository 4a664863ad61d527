import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { databaseOptions, HostClient } from '../kernel/database/database-hosts.ts'
import { isLockTimeout } from '../kernel/database/sql-errors.ts'
import { projectRoot } from '../kernel/environment/root.ts'
import {
  compareVersions,
  newestRelease,
  recordRelease,
  thisRelease,
  type Release,
} from './releases.ts'

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

/** The first line of a migration whose statements are executed one by one, outside a transaction. */
const withoutTransaction = '-- Each statement by itself.'
const migratorPollMs = 200
/** Writers queue behind a statement that waits for a lock, so it gives up soon and tries again. */
const lockTimeoutMs = 1000
const maxLockTries = 60
const lockPauseMs = 1000

/** What was done to a database. */
export interface Migrated {
  /** The names of the migrations that were applied. */
  applied: string[]
  /** The newer release that has migrated the database before; null if there is none. */
  newerRelease: string | null
}

export interface MigrateOptions {
  folder?: string
  release?: Release
}

/**
 * Applies the pending migrations of a folder, each in one transaction with its record. Several
 * processes can migrate at the same time. A migration that begins with the comment
 * `Each statement by itself.` is not applied in a transaction; its statements must be repeatable,
 * because they are executed again if the process ends halfway.
 *
 * A database that a newer release has migrated is left as it is, if that release works with this
 * one. Throws an Error if it does not, if the file of an applied migration was changed or is
 * missing, or if a migration is recorded as failed.
 */
export async function migrate(
  databaseUrl: string,
  {
    folder = join(projectRoot, 'prisma', 'migrations'),
    release = thisRelease,
  }: MigrateOptions = {},
): Promise<Migrated> {
  const migrations = await readMigrations(folder)
  const client = new HostClient({
    ...databaseOptions(databaseUrl),
    application_name: 'bankgraph migrate',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // The user may have timeouts for its other sessions, and the creation of an index takes longer.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    const before = await stateOf(client, migrations, folder, release)
    if (before.pending.length === 0) return { applied: [], newerRelease: before.newerRelease }
    await takeLock(client)
    await client.query(createTable)
    const { pending } = await stateOf(client, migrations, folder, release)
    if (pending.length > 0) await recordRelease(client, release)
    for (const migration of pending) await apply(client, migration)
    return { applied: pending.map(({ name }) => name), newerRelease: null }
  } finally {
    // Closing the session releases the lock.
    await client.end()
  }
}

/**
 * Waits for the lock without a statement that waits: an index that another process creates
 * concurrently would wait for that statement.
 */
async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ isTaken: boolean }>(
      'select pg_try_advisory_lock($1) as "isTaken"',
      [prismaLockId],
    )
    if (rows[0]!.isTaken) return
    await sleep(migratorPollMs)
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

/** Returns what is to be applied, and the newer release that has applied migrations of its own. */
async function stateOf(
  client: Client,
  migrations: readonly Migration[],
  folder: string,
  release: Release,
): Promise<{ pending: Migration[]; newerRelease: string | null }> {
  const files = new Map(migrations.map((migration) => [migration.name, migration]))
  const unknown: string[] = []
  for (const { migration_name: name, checksum, finished_at } of await readApplied(client)) {
    const file = files.get(name)
    if (!file) unknown.push(name)
    else requireSound(file, checksum, finished_at)
    files.delete(name)
  }
  const pending = [...files.values()]
  if (unknown.length === 0) return { pending, newerRelease: null }
  const newest = await newestRelease(client)
  if (pending.length > 0 || !newest || compareVersions(newest.version, release.version) <= 0) {
    throw new Error(`The database has migration ${unknown[0]}, but ${folder} does not.`)
  }
  if (compareVersions(release.version, newest.worksWith) < 0) {
    throw new Error(
      `Release ${newest.version} has migrated the database. It works with processes of release ` +
        `${newest.worksWith} and later; this is ${release.version}.`,
    )
  }
  return { pending: [], newerRelease: newest.version }
}

function requireSound({ name, checksum }: Migration, applied: string, finishedAt: Date | null) {
  if (checksum !== applied) {
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
}

/** Applies a migration. Tries again while transactions that are in progress keep it from a lock. */
async function apply(client: Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return migration.sql.startsWith(withoutTransaction)
        ? await applyByStatement(client, migration)
        : await applyInTransaction(client, migration)
    } catch (cause) {
      const { name } = migration
      if (isLockTimeout(cause) && tries < maxLockTries) {
        await sleep(lockPauseMs)
        continue
      }
      const why = isLockTimeout(cause)
        ? 'another transaction holds a lock that it needs'
        : (cause as Error).message
      throw new Error(`Migration ${name} failed and was rolled back: ${why}`, { cause })
    }
  }
}

async function applyInTransaction(client: Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(migration.sql)
    await recordMigration(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function applyByStatement(client: Client, migration: Migration): Promise<void> {
  for (const statement of migration.sql.split(/;\s*(?:\n|$)/)) {
    if (statement.trim() !== '') await client.query(statement)
  }
  await recordMigration(client, migration)
}

async function recordMigration(client: Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `insert into public._prisma_migrations
       (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     values ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  )
}

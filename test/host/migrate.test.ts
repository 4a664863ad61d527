import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../host/migrate.ts'
import { eventually } from '../kit/eventually.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'

let database: FreshDatabase
let folder: string
let client: Client

beforeEach(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-host-'))
  client = new Client(database.url)
  await client.connect()
  // The fresh database already has the bank's migrations; these tests apply their own.
  await client.query('drop table _prisma_migrations')
})

afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

async function write(name: string, sql: string) {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'migration.sql'), sql)
}

const one = '20260101000000_one'
const two = '20260102000000_two'

test('applies migrations once, in order, and records them as Prisma does', async () => {
  await write(two, 'alter table mine add column b int')
  await write(one, 'create table mine (a int); insert into mine values (1);')
  const none = { applied: [], newerRelease: null }
  expect(await migrate(database.url, { folder })).toEqual({ ...none, applied: [one, two] })
  expect(await migrate(database.url, { folder })).toEqual(none)
  const { rows } = await client.query('select * from _prisma_migrations order by migration_name')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatchObject({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    migration_name: two,
    checksum: createHash('sha256').update('alter table mine add column b int').digest('hex'),
    applied_steps_count: 1,
    rolled_back_at: null,
    logs: null,
    finished_at: expect.any(Date),
  })
})

test('applies migrations once when two processes start at the same time', async () => {
  await write(one, 'create table mine (); select pg_sleep(0.2);')
  const both = await Promise.all([
    migrate(database.url, { folder }),
    migrate(database.url, { folder }),
  ])
  expect(both.flatMap(({ applied }) => applied)).toEqual([one])
})

test('rolls back a failing migration and keeps the ones before it', async () => {
  await write(one, 'create table mine ()')
  await write(two, 'create table other (); select 1 / 0;')
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    `${two} failed and was rolled back`,
  )
  await write(two, 'create table other ()')
  expect((await migrate(database.url, { folder })).applied).toEqual([two])
})

test('rejects an applied migration that was changed or is missing', async () => {
  await write(one, 'create table mine ()')
  await migrate(database.url, { folder })
  await write(one, 'create table mine (a int)')
  await expect(migrate(database.url, { folder })).rejects.toThrow(`${one} was changed after`)
  await rm(join(folder, one), { recursive: true })
  await expect(migrate(database.url, { folder })).rejects.toThrow(
    `The database has migration ${one}`,
  )
})

test('rejects a migration that Prisma recorded as unfinished', async () => {
  await write(one, 'create table mine ()')
  await migrate(database.url, { folder })
  await client.query('update _prisma_migrations set finished_at = null')
  await expect(migrate(database.url, { folder })).rejects.toThrow(`${one} failed halfway`)
})

const old = { version: '0.9.3', worksWith: '0.8.0' }
const next = { version: '0.10.0', worksWith: '0.9.0' }

/** Applies one migration as the old release, and another as the next one. Leaves the old files. */
async function upgrade(release = next) {
  await write(one, 'create table mine ()')
  await migrate(database.url, { folder, release: old })
  await write(two, 'create table other ()')
  await migrate(database.url, { folder, release })
  await rm(join(folder, two), { recursive: true })
}

test('starts on a database that the next release has migrated, and says which', async () => {
  await upgrade()
  const migrated = await migrate(database.url, { folder, release: old })
  expect(migrated).toEqual({ applied: [], newerRelease: '0.10.0' })
})

test('refuses a database whose release does not work with this one', async () => {
  await upgrade({ version: '0.11.0', worksWith: '0.10.0' })
  await expect(migrate(database.url, { folder, release: old })).rejects.toThrow(
    'Release 0.11.0 has migrated the database. It works with processes of release 0.10.0 and later; this is 0.9.3.',
  )
})

test('refuses a database with migrations that neither release knows', async () => {
  await upgrade()
  const third = '20260103000000_three'
  await write(third, 'create table third ()')
  // The old release has a migration that the next one lacks.
  await expect(migrate(database.url, { folder, release: old })).rejects.toThrow(
    `The database has migration ${two}`,
  )
})

test('does not keep writers waiting behind a lock that it cannot get', async () => {
  await write(one, 'create table mine (a int)')
  await migrate(database.url, { folder })
  await write(two, 'alter table mine add column b int')
  const reader = new Client(database.url)
  await reader.connect()
  await reader.query('begin; select * from mine')
  const migrated = migrate(database.url, { folder })
  await client.query(`set lock_timeout = '5s'`)
  // The writer waits behind the migration, which gives up in time, for as long as the reader reads.
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'bankgraph migrate' and datname = current_database()`
  await eventually(async () => (await client.query(waiting)).rowCount === 1)
  await client.query('insert into mine values (1)')
  await reader.query('commit')
  await reader.end()
  expect((await migrated).applied).toEqual([two])
})

test('creates an index beside writers, and again if it was interrupted', async () => {
  await write(one, 'create table mine (a int); insert into mine values (1), (1)')
  await migrate(database.url, { folder })
  const sql = `-- Each statement by itself.
drop index concurrently if exists mine_by_a;
create unique index concurrently mine_by_a on mine (a);
`
  await write(two, sql)
  // The duplicate ends the creation halfway and leaves an invalid index.
  await expect(migrate(database.url, { folder })).rejects.toThrow('could not create unique index')
  await client.query('delete from mine')
  expect((await migrate(database.url, { folder })).applied).toEqual([two])
  const valid = `select indisvalid from pg_index where indexrelid = 'mine_by_a'::regclass`
  expect((await client.query(valid)).rows).toEqual([{ indisvalid: true }])
})

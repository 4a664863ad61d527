import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../host/migrate.ts'
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
  expect(await migrate(database.url, folder)).toEqual([one, two])
  expect(await migrate(database.url, folder)).toEqual([])
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
  const both = await Promise.all([migrate(database.url, folder), migrate(database.url, folder)])
  expect(both.flat()).toEqual([one])
})

test('rolls back a failing migration and keeps the ones before it', async () => {
  await write(one, 'create table mine ()')
  await write(two, 'create table other (); select 1 / 0;')
  await expect(migrate(database.url, folder)).rejects.toThrow(`${two} failed and was rolled back`)
  await write(two, 'create table other ()')
  expect(await migrate(database.url, folder)).toEqual([two])
})

test('rejects an applied migration that was changed or is missing', async () => {
  await write(one, 'create table mine ()')
  await migrate(database.url, folder)
  await write(one, 'create table mine (a int)')
  await expect(migrate(database.url, folder)).rejects.toThrow(`${one} was changed after`)
  await rm(join(folder, one), { recursive: true })
  await expect(migrate(database.url, folder)).rejects.toThrow(`The database has migration ${one}`)
})

test('rejects a migration that Prisma recorded as unfinished', async () => {
  await write(one, 'create table mine ()')
  await migrate(database.url, folder)
  await client.query('update _prisma_migrations set finished_at = null')
  await expect(migrate(database.url, folder)).rejects.toThrow(`${one} failed halfway`)
})

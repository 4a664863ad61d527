/** What happens to connections when the network to the database is cut without a word. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kernel/database/db.ts'
import { isUnavailable } from '../../kernel/database/sql-errors.ts'
import { EventLog } from '../../kernel/events/event-log.ts'
import { Heartbeat } from '../../kernel/database/heartbeat.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { eventually } from '../kit/eventually.ts'
import { networkBetween, type Network } from '../kit/network.ts'

const log = pino({ level: 'silent' })
let fresh: FreshDatabase
let folder: string
let network: Network
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  const url = new URL(fresh.url)
  const nameOf = (directory: string) => join(directory, `.s.PGSQL.${url.port || 5432}`)
  folder = await mkdtemp(join(tmpdir(), 'network-'))
  network = await networkBetween(nameOf(folder), nameOf(url.searchParams.get('host')!))
  url.searchParams.set('host', folder)
  database = openDatabase(url.href, log)
})
afterEach(() => network.mend())
afterAll(async () => {
  await database.close()
  await network.close()
  await fresh.drop()
  await rm(folder, { recursive: true })
})

test('a slow statement is not cut off', async () => {
  const { rows } = await database.pool.query(`select pg_sleep(5)::text || 'done' as outcome`)
  expect(rows).toEqual([{ outcome: 'done' }])
}, 15_000)

test('statements fail soon when the server is gone, as an outage, and work when it is back', async () => {
  await database.pool.query('create table if not exists noted (what text)')
  const statement = {
    name: 'note-silently',
    text: 'insert into noted values ($1) returning what',
    values: ['x'],
  }
  await database.commits.commit({ statement, events: null })
  await database.reads.query({ text: 'select 1' })
  network.cut()
  // TCP alone would wait for a quarter of an hour, longer than the test may take.
  const outcomes = await Promise.allSettled([
    database.pool.query('select 1'),
    database.reads.query({ text: 'select 1' }),
    database.commits.commit({ statement, events: null }),
    database.db.$queryRawUnsafe('select 1'),
  ])
  for (const outcome of outcomes) {
    expect(outcome.status).toBe('rejected')
    expect(isUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true)
  }
  network.mend()
  await eventually(async () => {
    const { rows } = await database.pool.query('select 1 as one')
    return rows[0].one === 1
  })
  await database.reads.query({ text: 'select 1' })
  await database.commits.commit({ statement, events: null })
}, 40_000)

test('an idle connection is kept', async () => {
  const client = await database.pool.connect()
  const pid = async () => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  const first = await pid()
  await new Promise((resolve) => setTimeout(resolve, 4000))
  expect(await pid()).toBe(first)
  client.release()
}, 15_000)

test('the log of events hears of new events again after the network was cut', async () => {
  const heartbeat = new Heartbeat(database.pool, log, () => new Date())
  const events = new EventLog(database, log, heartbeat)
  await events.start()
  const listeners = async () => {
    const sql = `select pid from pg_stat_activity where query like 'listen%' or query = 'select'
      and datname = current_database()`
    return (await database.pool.query(sql)).rows.map(({ pid }) => pid as number)
  }
  const [first] = await listeners()
  expect(first).toBeDefined()
  network.cut()
  await new Promise((resolve) => setTimeout(resolve, 22_000))
  network.mend()
  await eventually(async () => (await listeners()).some((pid) => pid !== first), 20_000)
  await events.stop()
  await heartbeat.stop()
}, 60_000)

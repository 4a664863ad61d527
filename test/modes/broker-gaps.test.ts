/** What the event log does with batches of the broker: gaps, duplicates, and events that were lost. */
import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kernel/database/db.ts'
import { Heartbeat } from '../../kernel/database/heartbeat.ts'
import { fixedRing } from '../../kernel/environment/key-ring.ts'
import { EventBroker } from '../../kernel/events/event-broker.ts'
import { EventLog } from '../../kernel/events/event-log.ts'
import type { EventBatch } from '../../kernel/events/event-ring.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { eventually } from '../kit/eventually.ts'
import { batchOf, news } from './event-batches.ts'

const log = pino({ level: 'silent' })
const secret: string = randomUUID()

/** A stand-in for the broker that is always up and delivers what the test passes to `bring`. */
class RecordedProvider extends EventBroker {
  bring: (batch: EventBatch) => void = () => undefined
  override start(_log: string, take: (batch: EventBatch) => void): void {
    this.bring = take
  }
  override publish(): void {}
  override get isUp(): boolean {
    return true
  }
}

let database: FreshDatabase
let opened: Database
let heartbeat: Heartbeat
let provider: RecordedProvider
let listening: EventLog
beforeAll(async () => {
  database = await freshDatabase()
  opened = openDatabase(database.url, log)
  heartbeat = new Heartbeat(opened.pool, log, () => new Date())
  provider = new RecordedProvider('nats://127.0.0.1:1', fixedRing(secret), log)
  listening = new EventLog(opened, log, heartbeat, provider)
  await listening.start()
})
afterAll(async () => {
  await listening.stop()
  await heartbeat.stop()
  await opened.close()
  await database.drop()
})

test('counts gaps that the event log filled from the database, and duplicate events', async () => {
  const { pool } = opened
  expect(listening.broker).toMatchObject({ isConnected: true, refilledGaps: 0, duplicates: 0 })
  let last = 0n
  // The log's own poll may find the event before the broker delivers it.
  await eventually(async () => {
    await pool.query(storeSql, [String(last + 1n)])
    await pool.query(storeSql, [String(last + 2n)])
    last += 2n
    provider.bring(batchOf(news(last)))
    await eventually(() => listening.head === last)
    return listening.broker!.refilledGaps > 0
  })
  const before = listening.broker!.duplicates
  provider.bring(batchOf(news(last - 1n), news(last), news(last + 1n)))
  expect(listening.head).toBe(last + 1n)
  expect(listening.broker!.duplicates - before).toBe(2)
})

test('a batch after another event shows that events were lost; a late batch of them is ignored', async () => {
  const { pool } = opened
  const head = listening.head
  await pool.query(storeSql, [String(head + 1n)])
  await eventually(() => listening.head === head + 1n)
  const from = { position: head, eventId: `evt_${head}` }
  const [lost] = await listening.after(from)
  await pool.query("update kernel.event set event_id = 'evt_other' where position = $1", [
    String(head + 1n),
  ])
  await pool.query(storeSql, [String(head + 2n)])
  const after = { position: head + 1n, eventId: 'evt_other' }
  provider.bring({ after, events: [news(head + 2n)] })
  await eventually(() => listening.losses.has(lost!))
  await eventually(() => listening.head === head + 2n)
  const ids = async () => (await listening.after(from)).map(({ eventId }) => eventId)
  expect(await ids()).toEqual(['evt_other', `evt_${head + 2n}`])
  const { duplicates } = listening.broker!
  provider.bring({ after: from, events: [lost!] })
  expect(listening.broker!.duplicates).toBe(duplicates)
  expect(await ids()).toEqual(['evt_other', `evt_${head + 2n}`])
})

const storeSql = `with head as (update kernel.head set position = $1::bigint)
  insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties,
    correlation_id, actor)
  select n, 'evt_' || n, 'parties.party.created', 'party/pty_' || n, 1, now(), '{}', '{}', 'test', 'test'
  from (values ($1::bigint)) wanted (n)`

/**
 * A process is killed at each step of sequencing and publishing events while another keeps running;
 * then the backend of PostgreSQL is killed in the middle of the statement. Every commit is received
 * once and in order, by the surviving process and by those that restart.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { EventBroker } from '../../kernel/events/event-broker.ts'
import { Heartbeat } from '../../kernel/database/heartbeat.ts'
import { openDatabase, type Database } from '../../kernel/database/db.ts'
import { EventLog } from '../../kernel/events/event-log.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { eventually } from '../kit/eventually.ts'
import { fixedRing } from '../../kernel/environment/key-ring.ts'
import { cursorOf } from '../../kernel/events/event-ring.ts'

const points = [
  'commit.sent',
  'commit.appended',
  'sequencer.begun',
  'sequencer.sent',
  'sequencer.sequenced',
  'sequencer.notified',
  'log.read',
  'log.appended',
  ...(hasBroker ? ['broker.publishing', 'broker.published'] : []),
]
/** Bundled once: transpiling at each start would take longer than the rest of the test. */
const publisher = join(projectRoot, 'node_modules/.cache/bankgraph/publisher.mjs')
const publisherName = 'publisher'
const log = pino({ level: 'silent' })

let folder: string
let postgres: EmbeddedPostgres
let broker: Broker | null = null
let database: Database
let heartbeat: Heartbeat
let events: EventLog
/** What the surviving process received, and what the killed ones received, each resuming after the previous. */
const [steady, resumed]: [string[], string[]] = [[], []]
const acked = new Map<string, number>()
/** The last process that publishes; only after a failure is it still running at the end. */
let publishing: ChildProcess | undefined

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('programs/publisher.ts', import.meta.url))],
    outfile: publisher,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-chaos-'))
  broker = hasBroker ? await aBroker() : null
  const dataDir = join(folder, 'postgres')
  postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, isTemporary: true })
  await postgres.ensureDatabase('bank')
  await migrate(postgres.url('bank'))
  database = openDatabase(postgres.url('bank'), log)
  heartbeat = new Heartbeat(database.pool, log, () => new Date())
  events = new EventLog(
    database,
    log,
    heartbeat,
    broker && new EventBroker(broker.url, fixedRing('chaos'), log),
  )
  await events.start()
  void listenTo()
})

afterAll(async () => {
  publishing?.kill('SIGKILL')
  await events?.stop()
  await heartbeat?.stop()
  await database?.close()
  await postgres?.stop()
  await broker?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.each(points)(
  'a process killed at %s loses, duplicates and reorders no event',
  async (point) => {
    expect(await publishUntilKilled(point)).toBe('SIGKILL')
    await requireComplete()
  },
)

test('a sequencing statement whose backend is killed midway is rolled back', async () => {
  await hold()
  const before = await head()
  const answered = acked.size
  const dying = publishUntilKilled('sequencer.sequenced')
  await eventually(() => acked.size > answered)
  const killed = await eventually(heldBackend)
  process.kill(killed, 'SIGKILL')
  // The sequencer's next attempt blocks on the same trigger.
  await eventually(async () => ![undefined, killed].includes(await heldBackend()), 30_000)
  expect(await head()).toBe(before)
  await database.pool.query('delete from kernel.hold')
  expect(await dying).toBe('SIGKILL')
  await requireComplete()
})

async function listenTo(): Promise<void> {
  for (let place = events.cursorAt(0n); events.isOpen; await events.waitForEvents(place)) {
    for (const event of await events.after(place).catch(() => [])) {
      place = cursorOf(event)
      steady.push(`${event.position} ${event.eventId}`)
    }
  }
}

/** Runs a process that commits and receives events until it kills itself. Resolves to the signal, or to its stderr. */
async function publishUntilKilled(point: string): Promise<string> {
  const after = resumed.at(-1)?.split(' ')[0] ?? '0'
  const name = `${point}-${resumed.length}`
  const url = new URL(postgres.url('bank'))
  url.searchParams.set('application_name', publisherName)
  const settings = [url.href, broker?.url ?? '', name, after, point]
  const child = spawn(process.execPath, [publisher, ...settings])
  publishing = child
  let described = ''
  child.stderr.on('data', (chunk) => (described += chunk))
  createInterface(child.stdout).on('line', (line) => {
    const [what, ...rest] = line.split(' ') as [string, string, string]
    if (what === 'heard') resumed.push(rest.join(' '))
    else acked.set(rest[0], Number(rest[1]))
  })
  const [, signal] = await once(child, 'close')
  return signal ?? described
}

/** Blocks every sequencing statement after it inserted into the log and before it ends. */
async function hold(): Promise<void> {
  await database.pool.query(`create table kernel.hold as select true as held`)
  await database.pool.query(`create function kernel.hold() returns trigger language plpgsql as $$
    begin
      while exists (select from kernel.hold) loop perform pg_sleep(0.05); end loop;
      return null;
    end $$`)
  await database.pool.query(`create trigger hold after insert on kernel.event
    for each statement execute function kernel.hold()`)
}

/** The process id of the backend that is sequencing events; undefined while PostgreSQL recovers. */
async function heldBackend(): Promise<number | undefined> {
  const sql = `select pid from pg_stat_activity
    where query like 'select kernel.sequence_events%' and wait_event = 'PgSleep'`
  const answer = await database.pool.query<{ pid: number }>(sql).catch(() => null)
  return answer?.rows[0]?.pid
}

async function head(): Promise<string> {
  return (await database.pool.query('select position from kernel.head')).rows[0].position
}

/**
 * Positions are dense, each subject is in order, the log has two events of each commit and everything
 * that was acknowledged, and subscribers received exactly the log.
 */
async function requireComplete(): Promise<void> {
  const rows = async (sql: string) => (await database.pool.query(sql)).rows
  // The backends of a killed process end what it has sent, also a commit.
  const backends = `select from pg_stat_activity where application_name = '${publisherName}'`
  await eventually(async () => (await rows(backends)).length === 0, 20_000)
  await eventually(async () => (await rows('select from kernel.outbox')).length === 0, 20_000)
  const logged = await rows(
    'select position, event_id, subject, sequence from kernel.event order by 1',
  )
  await eventually(() => steady.length >= logged.length, 20_000)
  expect(steady).toEqual(logged.map(({ event_id: id }, at) => `${at + 1} ${id}`))
  // The last process was killed before it received the rest.
  expect(resumed).toEqual(steady.slice(0, resumed.length))
  expect(resumed.length).toBeGreaterThan(0)
  expect(logged.map(({ position }) => Number(position))).toEqual(logged.map((_, at) => at + 1))
  const delivered = new Map<string, number>()
  for (const { subject, sequence } of logged) {
    expect([subject, sequence]).toEqual([subject, (delivered.get(subject) ?? 0) + 1])
    delivered.set(subject, sequence)
  }
  const commits = await rows(
    `select subject, version from kernel.fact where subject like 'chaos/%'`,
  )
  expect(delivered).toEqual(new Map(commits.map(({ subject, version }) => [subject, 2 * version])))
  const lost = [...acked].filter(
    ([subject, version]) => (delivered.get(subject) ?? 0) < 2 * version,
  )
  expect(lost).toEqual([])
}

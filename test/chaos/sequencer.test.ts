/**
 * A process dies at each point at which it gives events their positions and tells of them, while
 * another one goes on beside it; then the database's own process dies in the middle of the
 * statement. Every commit is heard once, in order, by who lives on and by who begins again.
 */
import { spawn } from 'node:child_process'
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
import { Carrier } from '../../subgraphs/_kernel/carrier.ts'
import { openDatabase, type Database } from '../../subgraphs/_kernel/db.ts'
import { EventLog } from '../../subgraphs/_kernel/log.ts'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { eventually } from '../kit/eventually.ts'

const points = [
  'sequencer.begun',
  'sequencer.asked',
  'sequencer.moved',
  'sequencer.told',
  'log.read',
  'log.appended',
  ...(hasBroker ? ['carrier.publishing', 'carrier.published'] : []),
]
/** Built once: each start would else spend more on that than on the rest. */
const teller = join(projectRoot, 'node_modules/.cache/bankgraph/teller.mjs')
const log = pino({ level: 'silent' })

let folder: string
let postgres: EmbeddedPostgres
let broker: Broker | null = null
let database: Database
let events: EventLog
/** What the process that lives on has heard, and what those that die have, each after the one before. */
const [steady, resumed]: [string[], string[]] = [[], []]
const acked = new Map<string, number>()

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('programs/teller.ts', import.meta.url))],
    outfile: teller,
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
  events = new EventLog(database.pool, log, broker && new Carrier(broker.url, 'chaos', log))
  await events.start()
  void hear()
})

afterAll(async () => {
  await events?.stop()
  await database?.close()
  await postgres?.stop()
  await broker?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.each(points)(
  'a process that dies at %s loses, doubles and disorders nothing',
  async (point) => {
    expect(await tellUntilDeath(point)).toBe('SIGKILL')
    await requireWhole()
  },
)

test('a statement that dies in the middle has moved nothing', async () => {
  await hold()
  const before = await head()
  const answered = acked.size
  const dying = tellUntilDeath('sequencer.moved')
  await eventually(() => acked.size > answered)
  const killed = await eventually(heldBackend)
  process.kill(killed, 'SIGKILL')
  // Its successor meets the same hold.
  await eventually(async () => ![undefined, killed].includes(await heldBackend()), 30_000)
  expect(await head()).toBe(before)
  await database.pool.query('delete from kernel.hold')
  expect(await dying).toBe('SIGKILL')
  await requireWhole()
})

async function hear(): Promise<void> {
  for (let position = 0n; events.isOpen; await events.moreThan(position)) {
    for (const event of await events.after(position).catch(() => [])) {
      position = event.position
      steady.push(`${position} ${event.eventId}`)
    }
  }
}

/** Runs a process that commits and hears, until it dies itself. Promises the signal, or what it said. */
async function tellUntilDeath(point: string): Promise<string> {
  const after = resumed.at(-1)?.split(' ')[0] ?? '0'
  const name = `${point}-${resumed.length}`
  const settings = [postgres.url('bank'), broker?.url ?? '', name, after, point]
  const child = spawn(process.execPath, [teller, ...settings])
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  createInterface(child.stdout).on('line', (line) => {
    const [what, ...rest] = line.split(' ') as [string, string, string]
    if (what === 'heard') resumed.push(rest.join(' '))
    else acked.set(rest[0], Number(rest[1]))
  })
  const [, signal] = await once(child, 'close')
  return signal ?? said
}

/** Holds every statement of a sequencer when it has put events into the log, and before it ends. */
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

/** The process of the database that has events in hand; none while it comes back. */
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
 * The log is dense and in the order of each subject, it has two events of each commit and all that
 * was acknowledged, and was heard as it is.
 */
async function requireWhole(): Promise<void> {
  const rows = async (sql: string) => (await database.pool.query(sql)).rows
  await eventually(async () => (await rows('select from kernel.outbox')).length === 0, 20_000)
  const logged = await rows(
    'select position, event_id, subject, sequence from kernel.event order by 1',
  )
  await eventually(() => steady.length >= logged.length, 20_000)
  expect(steady).toEqual(logged.map(({ event_id: id }, at) => `${at + 1} ${id}`))
  // The last one died with what it had not heard yet.
  expect(resumed).toEqual(steady.slice(0, resumed.length))
  expect(resumed.length).toBeGreaterThan(0)
  expect(logged.map(({ position }) => Number(position))).toEqual(logged.map((_, at) => at + 1))
  const told = new Map<string, number>()
  for (const { subject, sequence } of logged) {
    expect([subject, sequence]).toEqual([subject, (told.get(subject) ?? 0) + 1])
    told.set(subject, sequence)
  }
  const commits = await rows(
    `select subject, version from kernel.fact where subject like 'chaos/%'`,
  )
  expect(told).toEqual(new Map(commits.map(({ subject, version }) => [subject, 2 * version])))
  const lost = [...acked].filter(([subject, version]) => (told.get(subject) ?? 0) < 2 * version)
  expect(lost).toEqual([])
}

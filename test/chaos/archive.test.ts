/**
 * A process that archives the event log is killed at each of its steps. At every moment each event is in
 * the table or in the archive, and the next process finishes the work.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prove } from '../../host/backup/prove.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { EventArchive } from '../../kernel/events/event-archive.ts'
import { verifyArchive } from '../../kernel/events/verify-archive.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'

const points = ['encoded', 'stored', 'verified', 'recorded', 'deleted', 'removed']
const archiver = join(projectRoot, 'node_modules/.cache/bankgraph/archiver.mjs')
const count = 100

let database: FreshDatabase
let folder: string
let pool: pg.Pool
let archive: EventArchive
let original: string[]

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('programs/archiver.ts', import.meta.url))],
    outfile: archiver,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-archive-'))
  pool = new pg.Pool({ connectionString: database.url, max: 2 })
  pool.on('error', () => undefined)
  await pool.query(
    `insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
     select n, 'evt_' || n, 'chaos.happened', 'chaos/' || n % 7, 1 + n / 7, now() - interval '2 days',
       json_build_object('n', n, 'text', repeat('ä', n % 50), 'reason', case when n % 9 = 0 then 'ill' end),
       array['pty_' || n % 3], 'req', 'test'
     from generate_series(1, $1) n`,
    [count],
  )
  await pool.query('update kernel.head set position = $1', [count])
  const config = parseConfig({ EVENT_ARCHIVE_URL: `file://${folder}` })
  archive = new EventArchive(pool, config, 'live', pino({ level: 'silent' }))
  original = await everyEvent()
})

afterAll(async () => {
  await pool.end()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test.each(points)('a process killed at archive.%s loses no event', async (point) => {
  expect(await archiveUntil(`archive.${point}`)).toBe('SIGKILL')
  expect(await everyEvent()).toEqual(original)
})

test('two processes finish what is left, and each event is archived once', async () => {
  expect(await Promise.all([archiveUntil('none'), archiveUntil('none')])).toEqual([0, 0])
  expect(await everyEvent()).toEqual(original)
  expect(await verifyArchive(pool, archive.store!)).toMatchObject({ events: count, findings: [] })
  const { events, findings } = await prove(database.url, 'bank')
  expect({ events, findings }).toEqual({ events: count, findings: [] })
  const { rows } = await pool.query('select position::int as at from kernel.event order by 1')
  const retained = Array.from({ length: count }, (_, at) => at + 1).filter((at) => at % 9 === 0)
  expect(rows.map(({ at }) => at)).toEqual(retained)
})

/** Runs a process until it ends. Resolves to its signal or exit code. */
async function archiveUntil(point: string): Promise<unknown> {
  const child = spawn(process.execPath, [archiver, database.url, folder, point], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  return signal ?? code
}

/** The events of the table, and those of the archive that are not in it, each as text. */
async function everyEvent(): Promise<string[]> {
  const { rows } = await pool.query(
    `select position, event_id as "eventId", type, subject, sequence, time, data::text, parties,
       correlation_id as "correlationId", causation_id as "causationId", actor from kernel.event`,
  )
  const inTable = new Set(rows.map(({ position }) => BigInt(position)))
  const archived = await archive.read(0n, count)
  const events = [...rows, ...archived.filter(({ position }) => !inTable.has(position))]
  return events
    .sort((a, b) => Number(a.position) - Number(b.position))
    .map((event) => JSON.stringify({ ...event, position: String(event.position) }))
}

/**
 * The bank with its embedded PostgreSQL is backed up under load and restored: to a point in time, after
 * an interrupted backup, and from files that somebody has changed.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encryptedPath, encryptedNames, segmentPattern } from '../../host/backup/layout.ts'
import { startEmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad, type Load } from './load.ts'

const run = promisify(execFile)
const tsx = join(projectRoot, 'node_modules', '.bin', 'tsx')

let folder: string
let settings: Record<string, string>
let program: Program | undefined
let live: string
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-backup-'))
  const port = await freePort()
  live = `http://127.0.0.1:${port}`
  settings = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: 'off',
    BACKUP_DIR: join(folder, 'backup'),
    BACKUP_KEY: randomBytes(32).toString('base64'),
  }
  program = await startProgram([], settings)
  token = await liveToken(settings['DATA_DIR']!, live)
})
afterAll(async () => {
  await program?.end()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Runs a command of the project. Returns what it prints, also when it fails. */
async function command(script: string, args: string[] = [], changes: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], ...settings, ...changes }
  try {
    const { stdout } = await run(tsx, [`scripts/${script}.ts`, ...args], { cwd: projectRoot, env })
    return { isDone: true, output: stdout }
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return { isDone: false, output: stdout + stderr }
  }
}

const bases = async () =>
  (await encryptedNames(settings['BACKUP_DIR']!, 'base')).filter((name) => name.endsWith('.json'))

/** Waits until so many more requests were acknowledged. */
const more = (load: Load, count: number) => {
  const before = load.acknowledged.length
  return eventually(() => load.acknowledged.length >= before + count, 30_000)
}

/** Returns the rows of a query in a restored data folder. */
async function rowsIn<Row extends pg.QueryResultRow>(dataDir: string, sql: string): Promise<Row[]> {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    log: () => undefined,
  })
  const client = new pg.Client(postgres.url('bankgraph_live'))
  await client.connect()
  const { rows } = await client.query<Row>(sql)
  await client.end()
  await postgres.stop()
  return rows
}

/** Returns the IDs of the parties in a restored data folder. */
async function partiesIn(dataDir: string): Promise<Set<string>> {
  const rows = await rowsIn<{ id: string }>(dataDir, 'select party_id as id from parties.party')
  return new Set(rows.map(({ id }) => id))
}

test('the bank copies itself when it starts, and again on demand', async () => {
  await eventually(async () => (await bases()).length === 1, 30_000)
  const taken = await command('backup', ['--keep', '1'])
  expect(taken.output).toMatch(/^The bank was backed up to .* at 2\d{3}-.*Z\.\n$/)
  expect(await bases()).toHaveLength(1)
})

test('restores a point in time: all that was acknowledged before, and nothing that came after', async () => {
  const load = startLoad([live], token)
  await more(load, 50)
  expect((await command('backup')).isDone).toBe(true)
  await more(load, 50)
  const before = [...load.acknowledged]
  const at = new Date()
  await sleep(5)
  await more(load, 50)
  // Requests that were in flight at the instant were acknowledged by now; later ones began after it.
  const unclear = load.acknowledged.length
  await more(load, 50)
  await load.stop()
  const later = load.acknowledged.slice(unclear)
  // The end of the process completes the last segment.
  expect(await program!.end('SIGTERM')).toBe(0)

  const dataDir = join(folder, 'restored')
  const restored = await command('restore', ['--to', at.toISOString()], { DATA_DIR: dataDir })
  expect(restored.output).toContain('sound.')
  const ids = await partiesIn(dataDir)
  expect(before.filter((id) => !ids.has(id))).toEqual([])
  expect(later.filter((id) => ids.has(id))).toEqual([])

  const complete = join(folder, 'complete')
  expect((await command('restore', [], { DATA_DIR: complete })).isDone).toBe(true)
  const all = await partiesIn(complete)
  expect(load.acknowledged.filter((id) => !all.has(id))).toEqual([])
})

test('restores a position of the event log: the commit that appended it is the last one', async () => {
  // Everything, to compare with: the events in their order, with the commit that appended each.
  type Entry = { position: number; id: string; commit: string; time: Date; party: string | null }
  const logSql = `select e.position::int as position, e.event_id as id, e.xmin::text as commit, e.time,
    p.party_id as party from kernel.event e left join parties.party p on e.subject = 'party/' || p.party_id
    order by e.position`
  const log = await rowsIn<Entry>(join(folder, 'complete'), logSql)
  const copied = (await bases()).map((name) => Date.parse(instantIn(name))).sort((a, b) => a - b)
  const groups = [...new Set(log.map(({ commit }) => commit))].map((commit) =>
    log.filter((entry) => entry.commit === commit),
  )
  const reachable = groups.filter(([first]) => first!.time.getTime() > copied[0]! + 2000)
  // In a group of several events, any of them means the whole group.
  const large = reachable.toSorted((a, b) => b.length - a.length)[0]!
  const chosen = [
    reachable[0]!,
    large,
    reachable[Math.floor(reachable.length * 0.6)]!,
    groups.at(-1)!,
  ]
  expect(large.length).toBeGreaterThan(1)
  for (const [at, group] of chosen.entries()) {
    const dataDir = join(folder, `position-${at}`)
    const position = String(group[0]!.position)
    const restored = await command('restore', ['--to-position', position], { DATA_DIR: dataDir })
    expect(restored.output).toContain(`up to event ${position}.`)
    expect(restored.output).toContain('sound.')
    const expected = log.slice(0, group.at(-1)!.position)
    const stored = await rowsIn<Entry>(dataDir, logSql)
    expect(stored.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    // What the events say is there, and what later events say is not.
    const parties = await partiesIn(dataDir)
    const created = expected.flatMap(({ party }) => party ?? [])
    expect([...parties].sort()).toEqual([...new Set(created)].sort())
    await rm(dataDir, { recursive: true, force: true })
  }
  const beyond = await command('restore', ['--to-position', String(log.length + 1)], {
    DATA_DIR: join(folder, 'beyond'),
  })
  expect(beyond.output).toContain(`The archive ends with event ${log.length}`)
})

/** Returns the time in the name of a copy. */
const instantIn = (name: string) => name.replace('.json', '').replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')

test('a restored bank serves with the same keys, and backs itself up on its own timeline', async () => {
  program = await startProgram([], { ...settings, DATA_DIR: join(folder, 'restored') })
  const response = await fetch(`${live}/agreements`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  const before = (await bases()).length
  await eventually(async () => (await bases()).length > before, 30_000)
  const load = startLoad([live], token)
  await more(load, 20)
  await load.stop()
  expect(await program.end('SIGTERM')).toBe(0)
  program = undefined
  const again = join(folder, 'again')
  expect((await command('restore', [], { DATA_DIR: again })).output).toContain('sound.')
  const ids = await partiesIn(again)
  expect(load.acknowledged.filter((id) => !ids.has(id))).toEqual([])
})

test('a backup that is killed leaves the former one usable', async () => {
  program = await startProgram([], settings)
  const before = await bases()
  for (let kill = 0; kill < 3; kill++) {
    const child = spawn(tsx, ['scripts/backup.ts'], {
      cwd: projectRoot,
      env: { ...process.env, ...settings },
      detached: true,
    })
    const started = (await readdir(join(settings['BACKUP_DIR']!, 'base'))).length
    await eventually(
      async () => (await readdir(join(settings['BACKUP_DIR']!, 'base'))).length > started,
    )
    await sleep(Math.random() * 100)
    process.kill(-child.pid!, 'SIGKILL')
    await once(child, 'close')
  }
  expect((await command('backup', ['--verify'])).output).toContain('sound.')
  expect((await bases()).length).toBeGreaterThanOrEqual(before.length)
  expect((await command('backup')).isDone).toBe(true)
  const left = await readdir(join(settings['BACKUP_DIR']!, 'base'))
  expect(left.filter((name) => name.endsWith('.tar.encrypted')).length).toBe((await bases()).length)
  await program.end()
  program = undefined
})

test('changed files, a wrong key and a full folder are refused', async () => {
  const backup = settings['BACKUP_DIR']!
  const wrongKey = { BACKUP_KEY: randomBytes(32).toString('base64') }
  const refused = 'cannot be decrypted: it was changed, or BACKUP_KEY is not the key'
  expect((await command('backup', ['--verify'], wrongKey)).output).toContain(refused)

  const tar = encryptedPath(backup, `base/${(await bases()).at(-1)!.replace('.json', '.tar')}`)
  const { size } = await stat(tar)
  for (const position of [3, 15, Math.floor(size / 2), size - 1]) {
    await flip(tar, position)
    const { isDone, output } = await command('backup', ['--verify'])
    expect([position, isDone, output.includes(refused)]).toEqual([position, false, true])
    await flip(tar, position)
  }
  // A complete file in the place of another is no less a change.
  const segments = (await encryptedNames(backup, 'wal')).filter(
    (name) => segmentPattern.test(name) && name.startsWith('00000001'),
  )
  const [first, second] = segments.slice(-2).map((name) => encryptedPath(backup, `wal/${name}`))
  await copyFile(second!, `${second!}.kept`)
  await copyFile(first!, second!)
  expect((await command('backup', ['--verify'])).output).toContain(refused)
  await copyFile(`${second!}.kept`, second!)
  expect((await command('backup', ['--verify'])).output).toContain('sound.')

  const full = join(folder, 'full')
  await mkdir(full)
  await writeFile(join(full, 'anything'), '')
  const toFull = await command('restore', [], { DATA_DIR: full })
  expect(toFull.output).toContain(`${full} is not empty.`)
  expect((await command('restore', ['--to', 'noon'])).output).toContain('--to must be an instant')
  const eventOne = await command('restore', ['--to-position', '1'], {
    DATA_DIR: join(folder, 'early'),
  })
  expect(eventOne.output).toContain('was complete at')
  const wrong = [
    ['--to-position', '0'],
    ['--to-position', 'last'],
    ['--to-position', '5', '--to', '2090-01-02T03:04:05Z'],
  ]
  for (const args of wrong)
    expect((await command('restore', args)).output).toContain('--to-position')
  const early = await command('restore', ['--to', '2001-01-01T00:00:00Z'], {
    DATA_DIR: join(folder, 'early'),
  })
  expect(early.output).toContain('was complete at')
  const late = await command('restore', ['--to', '2999-01-01T00:00:00Z'], {
    DATA_DIR: join(folder, 'late'),
  })
  expect(late.output).toContain('The archive ends before 2999-01-01T00:00:00.000Z')
  expect((await command('backup')).output).toContain('No bank runs in')
  const leftovers = (await readdir(folder)).filter((name) => name.includes('restoring'))
  expect(leftovers).toEqual([])
})

/** Changes a byte of a file; a second call changes it back. */
async function flip(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, position)
  byte[0] = byte[0]! ^ 1
  await file.write(byte, 0, 1, position)
  await file.close()
}

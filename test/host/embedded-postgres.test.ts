import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { processIdentity } from '../../host/process-identity.ts'
import { startProgram } from './program.ts'

let dataDir: string
const running = new Set<EmbeddedPostgres>()

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-host-'))
})

afterEach(async () => {
  for (const postgres of running) await postgres.stop()
  running.clear()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(log: (line: string) => void = () => undefined) {
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  running.add(postgres)
  return postgres
}

async function stop(postgres: EmbeddedPostgres) {
  running.delete(postgres)
  await postgres.stop()
}

async function query(url: string, sql: string) {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function eventually(isTrue: () => boolean) {
  const until = Date.now() + 10_000
  while (!isTrue() && Date.now() < until) await sleep(20)
  expect(isTrue()).toBe(true)
}

const save = 'create table kept as select 42 as answer'
const read = 'select answer from kept'

test('keeps data, password and port over a restart', async () => {
  const first = await start()
  expect(await first.ensureDatabase('bankgraph_live')).toBe(true)
  await query(first.url('bankgraph_live'), save)
  await stop(first)
  const second = await start()
  expect(second.url('bankgraph_live')).toBe(first.url('bankgraph_live'))
  expect(await second.ensureDatabase('bankgraph_live')).toBe(false)
  expect(await query(second.url('bankgraph_live'), read)).toEqual([{ answer: 42 }])
  for (const name of ['cluster', '.']) {
    expect((await stat(join(dataDir, name))).mode & 0o077).toBe(0)
  }
  const [settings] = await query(
    second.url('postgres'),
    `select current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commits, current_setting('listen_addresses') as listens,
       current_setting('server_encoding') as encoding`,
  )
  expect(settings).toEqual({
    checksums: 'on',
    fsync: 'on',
    commits: 'on',
    listens: '127.0.0.1',
    encoding: 'UTF8',
  })
})

test('rejects a second start on the same folder and names the process that uses it', async () => {
  await start()
  await expect(start()).rejects.toThrow(`in use by process ${process.pid}`)
  const other = await startProgram('hold-postgres', dataDir)
  const { code, output } = await other.exited
  expect(code).not.toBe(0)
  expect(output).toContain(`in use by process ${process.pid}. Stop that process first`)
})

test('requires the password over the Unix socket and over loopback', async () => {
  const postgres = await start()
  const url = new URL(postgres.url('postgres'))
  expect(url.searchParams.get('host')).toBe(join(dataDir, 'cluster'))
  const loopback = url.href.split('?')[0]!
  expect(await query(loopback, 'select 1 as one')).toEqual([{ one: 1 }])
  for (const address of [url.href, loopback]) {
    const guessed = new URL(address)
    guessed.password = 'guessed'
    await expect(query(guessed.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  }
})

test('starts in a folder whose path is too long for a Unix socket or has special characters', async () => {
  const long = join(dataDir, `it's 100% "ä", ${'x'.repeat(90)}`)
  const postgres = await startEmbeddedPostgres({ dataDir: long, log: () => undefined })
  expect(await query(postgres.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
  const odd = join(dataDir, `it's 100% "ä", b`)
  const other = await startEmbeddedPostgres({ dataDir: odd, log: () => undefined })
  expect(other.url('postgres')).toContain('?host=')
  expect(await query(other.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  await other.stop()
})

test('stops PostgreSQL and loses no data when the parent process is killed', async () => {
  const killed = await startProgram('hold-postgres', dataDir)
  const [url, pid] = killed.firstLine.split(' ')
  await query(url!, save)
  killed.kill('SIGKILL')
  await eventually(() => processIdentity(Number(pid)) === null)
  expect(await query((await start()).url('postgres'), read)).toEqual([{ answer: 42 }])
})

test('takes over the folder right after the parent process was killed', async () => {
  const killed = await startProgram('hold-postgres', dataDir)
  const [url] = killed.firstLine.split(' ')
  await query(url!, save)
  killed.kill('SIGKILL')
  await killed.exited
  const postgres = await start()
  expect(postgres.url('postgres')).toBe(url)
  expect(await query(url!, read)).toEqual([{ answer: 42 }])
})

test('restarts a killed server on the same port', async () => {
  const postgres = await start()
  await query(postgres.url('postgres'), save)
  const before = postgres.pid()
  process.kill(before, 'SIGKILL')
  await eventually(() => postgres.pid() !== before)
  expect(await query(postgres.url('postgres'), read)).toEqual([{ answer: 42 }])
})

test('stops a server that is being restarted after it was killed', async () => {
  const lines: string[] = []
  const postgres = await start((line) => lines.push(line))
  // Recovering this table takes longer than anybody would wait.
  await query(postgres.url('postgres'), 'create table long as select generate_series(1, 500000)')
  process.kill(postgres.pid(), 'SIGKILL')
  // Before the restart, the file of the killed server would be left as it is.
  await eventually(() => lines.some((line) => line.endsWith('is restarted.')))
  const begun = Date.now()
  await stop(postgres)
  expect(Date.now() - begun).toBeLessThan(10_000)
  expect(await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')).toBe(
    '',
  )
})

test('starts despite stale pid, lock and owner files with reused process ids', async () => {
  await stop(await start())
  // This test's own process id is alive, but belongs neither to that server nor to that owner.
  const pidFile = [process.pid, join(dataDir, 'cluster'), 1, 1, '', '127.0.0.1', '0 0', 'ready']
  await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), `${pidFile.join('\n')}\n`)
  const port = (await readFile(join(dataDir, 'port'), 'utf8')).trim()
  await writeFile(join(dataDir, 'cluster', `.s.PGSQL.${port}.lock`), `${process.pid}\n`)
  await writeFile(join(dataDir, 'owner'), `${process.pid} another-boot/1\n`)
  expect(await query((await start()).url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
})

test('rejects a cluster whose server.json is missing or invalid, and leaves the file as it is', async () => {
  await stop(await start())
  const path = join(dataDir, 'server.json')
  await writeFile(path, '{"id":')
  await expect(start()).rejects.toThrow(`${path} is not valid JSON`)
  expect(await readFile(path, 'utf8')).toBe('{"id":')
  await rm(path)
  await expect(start()).rejects.toThrow('is missing')
})

test('rejects a cluster with a missing file and removes nothing', async () => {
  const first = await start()
  await query(first.url('postgres'), save)
  await stop(first)
  const path = join(dataDir, 'cluster', 'PG_VERSION')
  const version = await readFile(path)
  await rm(path)
  await expect(start()).rejects.toThrow(`${path} is missing`)
  await writeFile(path, version)
  expect(await query((await start()).url('postgres'), read)).toEqual([{ answer: 42 }])
})

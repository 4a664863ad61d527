/**
 * The program on a database that stops to accept writes in several ways: it reports why it is not
 * ready, stays live, and is ready again without a restart.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresAccount } from '../../host/postgres-account.ts'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { startProgram, type Program } from './kit.ts'

/** The programs of a complete PostgreSQL. */
const binaries = '/usr/lib/postgresql/15/bin'
const run = promisify(execFile)

let folder: string
let live: string
let isSmallDisk: boolean
let database: pg.Client
let broker: Broker | null
let program: Program

describe.skipIf(!existsSync(binaries))('with a database of its own', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bankgraph-readiness-'))
    isSmallDisk = mountSmallDisk(folder)
    const account = await postgresAccount(folder)
    if (account.uid !== undefined) await chown(folder, account.uid, account.gid!)
    const dataFolder = join(folder, 'data')
    await tool('initdb', '-D', dataFolder, '-U', 'bank', '-A', 'trust', '--no-sync')
    const databasePort = await freePort()
    const settings = `port = ${databasePort}\nunix_socket_directories = '${folder}'\nmax_wal_size = 64MB\nmin_wal_size = 32MB\n`
    await appendFile(join(dataFolder, 'postgresql.conf'), settings)
    await tool('pg_ctl', '-D', dataFolder, '-l', join(folder, 'log'), '-w', 'start')
    await tool('createdb', '-h', '127.0.0.1', '-p', String(databasePort), '-U', 'bank', 'bank')
    const url = `postgres://bank@127.0.0.1:${databasePort}/bank`
    database = new pg.Client(url)
    database.on('error', () => undefined)
    await database.connect()
    broker = hasBroker ? await aBroker() : null
    const port = await freePort()
    live = `http://127.0.0.1:${port}`
    program = await startProgram([], {
      DATA_DIR: await mkdtemp(join(tmpdir(), 'bankgraph-readiness-')),
      PORT: String(port),
      SANDBOX_PORT: 'off',
      DATABASE_URL: url,
      ...(broker && { NATS_URL: broker.url }),
    })
  })
  afterAll(async () => {
    await program?.end()
    await broker?.stop()
    await database?.end()
    await tool('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop')
    if (isSmallDisk) execFileSync('umount', [folder])
    await rm(folder, { recursive: true, force: true })
  })

  test('is ready', async () => {
    expect(await health('readyz')).toEqual([
      200,
      { status: 'ready', database: 'ok', writes: 'ok', ledgerFindings: 0, causes: [] },
    ])
  })

  test('a database that is read-only', async () => {
    await database.query('alter system set default_transaction_read_only = on')
    await database.query('select pg_reload_conf()')
    await becomes(503, {
      status: 'unready',
      database: 'ok',
      writes: 'failing',
      causes: ['database-read-only'],
    })
    expect((await health('livez'))[0]).toBe(200)
    await database.query('set default_transaction_read_only = off')
    await database.query('alter system reset default_transaction_read_only')
    await database.query('select pg_reload_conf()')
    await becomes(200, { status: 'ready', causes: [] })
  })

  test('a database whose writes do not end', async () => {
    await database.query('begin')
    await database.query('lock table kernel.process_probe in share mode')
    await becomes(503, { status: 'unready', database: 'ok', causes: ['write-timeout'] })
    expect((await health('livez'))[0]).toBe(200)
    await database.query('rollback')
    await becomes(200, { status: 'ready', causes: [] })
  })

  test('a full disk', async (context) => {
    if (!isSmallDisk)
      return context.skip('needs a file system of its own, which only root can mount')
    const { bavail, bsize } = await statfs(folder)
    const filler = join(folder, 'filler')
    await writeFile(filler, Buffer.alloc(bavail * bsize))
    await becomes(503, { status: 'unready', database: 'ok', causes: ['disk-full'] })
    expect((await health('livez'))[0]).toBe(200)
    await rm(filler)
    await becomes(200, { status: 'ready', causes: [] })
  })

  test('a process that stands still is dead, and not only unready', async () => {
    program.signal('SIGSTOP')
    const signal = AbortSignal.timeout(2000)
    await expect(fetch(`${live}/livez`, { signal })).rejects.toThrow('timeout')
    program.signal('SIGCONT')
    await eventually(async () => (await health('livez'))[0] === 200)
    await becomes(200, { status: 'ready', causes: [] })
  })

  test('a database that is down, and a broker that is lost', async (context) => {
    await tool('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop')
    await becomes(503, { status: 'unready', database: 'unavailable' }, 2000)
    expect((await health('livez'))[0]).toBe(200)
    await tool('pg_ctl', '-D', join(folder, 'data'), '-l', join(folder, 'log'), '-w', 'start')
    await becomes(200, { status: 'ready', causes: [] })
    if (!broker) return context.skip('needs nats-server')
    await broker.kill()
    await becomes(200, { status: 'degraded', writes: 'ok', causes: ['broker-disconnected'] })
    await broker.start()
    await becomes(200, { status: 'ready', causes: [] })
  })
})

/** Mounts a small file system if this account may. */
function mountSmallDisk(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', path], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs a program of PostgreSQL under the account that may. */
async function tool(name: string, ...args: string[]): Promise<void> {
  const { uid, gid } = await postgresAccount(folder)
  await run(join(binaries, name), args, {
    cwd: folder,
    ...(uid !== undefined && { uid, gid: gid! }),
  })
}

async function health(path: 'livez' | 'readyz'): Promise<[number, Record<string, unknown>]> {
  const response = await fetch(`${live}/${path}`)
  return [response.status, (await response.json()) as Record<string, unknown>]
}

/** Waits until the program reports this state. */
async function becomes(
  status: number,
  expected: Record<string, unknown>,
  withinMs = 15_000,
): Promise<void> {
  let seen: [number, Record<string, unknown>] | undefined
  const isAsExpected = async () => {
    seen = await health('readyz')
    return (
      seen[0] === status &&
      Object.entries(expected).every(
        ([name, value]) => JSON.stringify(seen![1][name]) === JSON.stringify(value),
      )
    )
  }
  await eventually(isAsExpected, withinMs).catch(() => expect(seen).toEqual([status, expected]))
}

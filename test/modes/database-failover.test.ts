/**
 * The primary database is killed, or cut off from the network, under load, and its synchronous
 * standby is promoted. The program has both hosts in its DATABASE_URL: it finds the new primary, and
 * nothing acknowledged is lost.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresAccount } from '../../host/postgres-account.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { networkBetween, type Network } from '../kit/network.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad } from './load.ts'
import { lossesOf } from './losses.ts'

/** The programs of a complete PostgreSQL; the embedded one cannot copy a database. */
const binaries = '/usr/lib/postgresql/15/bin'
const run = promisify(execFile)

let folder: string
let ports: Record<string, number> = {}
let network: Network
let program: Program | undefined
let live: string
let token: string

async function startPair(): Promise<void> {
  ports = {}
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-failover-'))
  const account = await postgresAccount(folder)
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid!)
  for (const name of ['primary', 'standby', 'network']) ports[name] = await freePort()
  network = await networkBetween(ports['network']!, ports['primary']!)
  await tool('initdb', '-D', dataOf('primary'), '-U', 'bank', '-A', 'trust', '--no-sync')
  // The primary acknowledges a commit when the standby has it, too.
  await configure('primary', `wal_level = replica\nsynchronous_standby_names = '*'`)
  await control('primary', 'start', '--no-wait')
  await eventually(async () => (await query('primary', 'select 1', 'postgres')) !== null, 30_000)
  await query('primary', 'set synchronous_commit = local; create database bank', 'postgres')
  const copyOptions = ['-D', dataOf('standby'), '-R', '-X', 'stream', '-c', 'fast']
  const source = ['-h', '127.0.0.1', '-p', String(ports['primary']), '-U', 'bank']
  await tool('pg_basebackup', ...copyOptions, ...source)
  await configure('standby', `synchronous_standby_names = ''`)
  await control('standby', 'start', '--no-wait')
  const synchronous = `select from pg_stat_replication where sync_state = 'sync'`
  await eventually(async () => (await query('primary', synchronous))?.rowCount === 1, 30_000)
  await startBank()
}

async function stopPair(): Promise<void> {
  await program?.end()
  for (const name of ['primary', 'standby']) {
    await control(name, 'stop', '-m', 'immediate').catch(() => undefined)
  }
  await network.close()
  await rm(folder, { recursive: true, force: true })
}

const dataOf = (name: string) => join(folder, name)

/** Runs a program of PostgreSQL under the account that may. */
async function tool(name: string, ...args: string[]): Promise<void> {
  const { uid, gid } = await postgresAccount(folder)
  await run(join(binaries, name), args, {
    cwd: folder,
    ...(uid !== undefined && { uid, gid: gid! }),
  })
}

const control = (name: string, ...args: string[]) =>
  tool('pg_ctl', '-D', dataOf(name), '-l', join(folder, `${name}.log`), ...args)

function configure(name: string, settings: string): Promise<void> {
  const address = `listen_addresses = '127.0.0.1'\nport = ${ports[name]}`
  const content = `\n${address}\nunix_socket_directories = '${folder}'\n${settings}\n`
  return appendFile(join(dataOf(name), 'postgresql.conf'), content)
}

/** Runs a query on one of the servers. Returns null while it cannot answer. */
async function query(name: string, sql: string, database = 'bank') {
  const connection = { host: '127.0.0.1', port: ports[name]!, user: 'bank', database }
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (const each of sql.split('; ').slice(0, -1)) await client.query(each)
    return await client.query(sql.split('; ').at(-1)!)
  } catch {
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function startBank(): Promise<void> {
  const port = await freePort()
  live = `http://127.0.0.1:${port}`
  // The standby comes first: a program that took the first host could not write.
  const hosts = `127.0.0.1:${ports['standby']},127.0.0.1:${ports['network']}`
  program = await startProgram([], {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: 'off',
    DATABASE_URL: `postgresql://bank@${hosts}/bank?target_session_attrs=read-write`,
  })
  token = await liveToken(join(folder, 'data'), live)
}

describe.skipIf(!existsSync(binaries)).each([
  ['killed', () => control('primary', 'stop', '-m', 'immediate')],
  ['cut off from the network', () => Promise.resolve(network.cut())],
] as const)('a program whose primary is %s', (_, lose) => {
  beforeAll(startPair, 120_000)
  afterAll(stopPair)

  test('finds the promoted standby, and loses nothing that was acknowledged', async () => {
    const load = startLoad([live], token)
    const { acknowledged, surprises } = load
    await eventually(() => acknowledged.length > 100, 60_000)
    await lose()
    await control('standby', 'promote')
    const before = acknowledged.length
    // What was under way when the primary was lost can still be acknowledged.
    await eventually(() => acknowledged.length > before + 100, 60_000)
    await load.stop()
    expect(surprises).toEqual([])
    const losses = await lossesOf((sql) => query('standby', sql), acknowledged)
    expect(losses).toEqual({ lost: [], gaps: 0 })
  })
})

/**
 * The program on a database that stops to accept writes in several ways: it reports why it is not
 * ready, stays live, and is ready again without a restart.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { healthAt, healthBecomes } from './health.ts'
import { startProgram, type Program } from './kit.ts'
import { hasPostgres, OwnDatabase } from './own-database.ts'

let live: string
let own: OwnDatabase
let database: pg.Client
let broker: Broker | null
let program: Program

const health = (path: 'livez' | 'readyz') => healthAt(live, path)
const becomes = (status: number, expected: Record<string, unknown>, withinMs?: number) =>
  healthBecomes(live, status, expected, withinMs)

describe.skipIf(!hasPostgres)('with a database of its own', () => {
  beforeAll(async () => {
    own = await OwnDatabase.start()
    database = await own.connect()
    broker = hasBroker ? await aBroker() : null
    const port = await freePort()
    live = `http://127.0.0.1:${port}`
    program = await startProgram([], {
      DATA_DIR: await mkdtemp(join(tmpdir(), 'bankgraph-readiness-')),
      PORT: String(port),
      SANDBOX_PORT: 'off',
      DATABASE_URL: own.url,
      ...(broker && { NATS_URL: broker.url }),
    })
  })
  afterAll(async () => {
    await program?.end()
    await broker?.stop()
    await database?.end()
    await own?.remove()
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
    if (!own.hasSmallDisk)
      return context.skip('needs a file system of its own, which only root can mount')
    const freeDisk = await own.fillDisk()
    await becomes(503, { status: 'unready', database: 'ok', causes: ['disk-full'] })
    expect((await health('livez'))[0]).toBe(200)
    await freeDisk()
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
    await own.crash()
    await becomes(503, { status: 'unready', database: 'unavailable' }, 2000)
    expect((await health('livez'))[0]).toBe(200)
    await own.boot()
    await becomes(200, { status: 'ready', causes: [] })
    if (!broker) return context.skip('needs nats-server')
    await broker.kill()
    await becomes(200, { status: 'degraded', writes: 'ok', causes: ['broker-disconnected'] })
    await broker.start()
    await becomes(200, { status: 'ready', causes: [] })
  })
})

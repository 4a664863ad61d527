/**
 * Three processes that share a few sessions of the database through PgBouncer in transaction mode,
 * which is stopped and killed under load, as is the server behind it. Nothing acknowledged is lost,
 * events arrive in order and without gaps, and PostgreSQL has no more sessions than the pool and one
 * listener for each process.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { createClient, type Client } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { hasPooler, Pooler } from '../kit/pooler.ts'
import { healthBecomes } from './health.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad } from './load.ts'
import { lossesOf } from './losses.ts'
import { hasPostgres, OwnDatabase } from './own-database.ts'

const processes = 3
const sessionsSql = `
  select count(*) filter (where application_name = 'bankgraph')::int as pooled,
    count(*) filter (where application_name = 'direct')::int as listening
  from pg_stat_activity where datname = 'bank'`

describe.skipIf(!hasPooler || !hasPostgres).each([5, 2])('through %i sessions', (poolSize) => {
  let own: OwnDatabase
  let pooler: Pooler
  let database: pg.Client
  let dataDir: string
  let addresses: string[]
  let token: string
  let socket: Client
  const programs: Program[] = []

  beforeAll(async () => {
    own = await OwnDatabase.start()
    database = await own.connect()
    pooler = await Pooler.start(own.url, { poolSize })
    dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-pooled-'))
    const ports = await Promise.all(Array.from({ length: processes }, () => freePort()))
    addresses = ports.map((port) => `http://127.0.0.1:${port}`)
    token = await liveToken(dataDir, addresses[0]!)
    const start = (port: number) =>
      startProgram([], {
        DATA_DIR: dataDir,
        PORT: String(port),
        PUBLIC_URL: addresses[0]!,
        SANDBOX_PORT: 'off',
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: `${own.url}?application_name=direct`,
      })
    programs.push(...(await Promise.all(ports.map(start))))
    socket = createClient({
      url: `${addresses[2]!.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    })
  }, 240_000)
  afterAll(async () => {
    await socket?.dispose()
    await Promise.all(programs.splice(0).map((program) => program.end()))
    await database?.end()
    await pooler?.remove()
    await own?.remove()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  const sessions = async () => (await database.query(sessionsSql)).rows[0]

  /** Follows the events of all processes at one of them. */
  function follow(): number[] {
    const positions: number[] = []
    const query = 'subscription { businessEvents(after: "0") { position } }'
    const take = ({ data }: { data?: { businessEvents: { position: string } } | null }) =>
      void positions.push(Number(data!.businessEvents.position))
    socket.subscribe<{ businessEvents: { position: string } }>(
      { query },
      { next: take, error: () => undefined, complete: () => undefined },
    )
    return positions
  }

  test('a load survives the loss of the pooler and of the server behind it', async () => {
    const positions = follow()
    const load = startLoad(addresses, token)
    const { acknowledged, surprises } = load
    const written = async (count: number) => {
      const before = acknowledged.length
      await eventually(() => acknowledged.length >= before + count, 60_000)
      const { pooled, listening } = await sessions()
      expect(pooled).toBeLessThanOrEqual(poolSize)
      expect(listening).toBe(processes)
    }
    await written(100)
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await pooler.end(signal)
      await healthBecomes(addresses[1]!, 503, { status: 'unready' })
      await pooler.boot()
      await written(100)
    }
    await own.crash()
    await own.boot()
    database = await own.connect()
    await eventually(async () => (await sessions()).listening === processes)
    await written(100)
    await load.stop()
    expect(surprises).toEqual([])
    const losses = await lossesOf((sql) => database.query(sql), acknowledged)
    expect(losses).toEqual({ lost: [], gaps: 0 })
    const { rows } = await database.query('select max(position)::int as last from kernel.event')
    await eventually(() => positions.length >= rows[0].last)
    expect(positions).toEqual(Array.from(positions, (_, at) => at + 1))
    for (const address of addresses) await healthBecomes(address, 200, { status: 'ready' })
  })
})

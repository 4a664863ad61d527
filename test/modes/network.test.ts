/**
 * A gateway, its subgraphs, PostgreSQL and the broker on machines of their own, whose network becomes
 * slow, loses packets and is partitioned under load. Nothing acknowledged is lost, and everything else
 * is answered with a problem that the client may retry.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createClient, type Client } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subgraphs } from '../../subgraphs/index.ts'
import { hasBroker } from '../kit/broker.ts'
import { eventually } from '../kit/eventually.ts'
import { hasMachines, Machines } from '../kit/machines.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad } from './load.ts'
import { lossesOf } from './losses.ts'
import { hasPostgres, OwnDatabase } from './own-database.ts'

const ports = { gateway: 4000, subgraph: 4010, link: 4011, database: 5432, broker: 4222 }
const partitionMs = 10_000
const names = subgraphs.map(({ name }) => name)

describe.skipIf(!hasMachines || !hasPostgres || !hasBroker)('on machines of their own', () => {
  let machines: Machines
  let own: OwnDatabase
  let database: pg.Client
  let broker: ChildProcess
  let dataDir: string
  let live: string
  let token: string
  let socket: Client
  const programs: Program[] = []

  beforeAll(async () => {
    machines = await Machines.start(['gw', 'sub', 'db', 'nats'])
    own = await OwnDatabase.start()
    database = await own.connect()
    await machines.link('db', ports.database, `UNIX-CONNECT:${own.socket}`)
    const [program, ...args] = [...machines.commandOn('nats'), 'nats-server']
    broker = spawn(program!, [...args, '-a', machines.addressOf('nats'), '-js'], {
      stdio: 'ignore',
      cwd: own.folder,
    })
    // A subgraph listens on its loopback only; the link stands for an encrypted one.
    await machines.link('sub', ports.link, `TCP:127.0.0.1:${ports.subgraph}`)
    dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-network-'))
    live = `http://${machines.addressOf('gw')}:${ports.gateway}`
    token = await liveToken(dataDir, live)
    const subgraphUrl = (name: string) =>
      `http://${machines.addressOf('sub')}:${ports.link}/${name}/graphql`
    const settings = {
      DATA_DIR: dataDir,
      SANDBOX_PORT: 'off',
      PUBLIC_URL: live,
      DATABASE_URL: `postgres://bank@${machines.addressOf('db')}:${ports.database}/bank`,
      NATS_URL: `nats://${machines.addressOf('nats')}:${ports.broker}`,
      SUBGRAPH_URLS: JSON.stringify(
        Object.fromEntries(names.map((name) => [name, subgraphUrl(name)])),
      ),
      SUBGRAPH_PORT: String(ports.subgraph),
      HOST: machines.addressOf('gw'),
      PORT: String(ports.gateway),
    }
    const start = (machine: string, role: string[]) =>
      startProgram(role, settings, undefined, machines.commandOn(machine))
    programs.push(
      ...(await Promise.all([start('gw', ['gateway']), start('sub', ['subgraph', ...names])])),
    )
    socket = createClient({
      url: `${live.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    })
  }, 240_000)
  afterAll(async () => {
    await socket?.dispose()
    await machines?.fail({})
    await Promise.all(programs.map((program) => program.end('SIGKILL')))
    broker?.kill()
    await machines?.close()
    await database?.end()
    await own?.remove()
    if (dataDir) await rm(dataDir, { recursive: true, force: true })
  })

  test('a load survives a slow network, lost packets and partitions', async () => {
    const positions: number[] = []
    socket.subscribe<{ businessEvents: { position: string } }>(
      { query: 'subscription { businessEvents(after: "0") { position } }' },
      {
        next: ({ data }) => void positions.push(Number(data!.businessEvents.position)),
        error: () => undefined,
        complete: () => undefined,
      },
    )
    const load = startLoad([live], token)
    const { acknowledged, surprises } = load
    const written = async (count: number) => {
      const before = acknowledged.length
      await eventually(() => acknowledged.length >= before + count, 90_000)
    }
    await written(50)
    await machines.fail({ slow: ['sub'], delayMs: 200 })
    await written(20)
    const slow = await machines.fail({ slow: ['sub', 'gw'], loss: 0.05 })
    await written(50)
    const lossy = await machines.fail({})
    expect([slow.late > 0, lossy.lost > 0]).toEqual([true, true])
    for (const machine of ['gw', 'db']) {
      await machines.fail({ cut: [['sub', machine]] })
      // What was under way may still be acknowledged.
      await sleep(partitionMs / 2)
      const before = acknowledged.length
      await sleep(partitionMs / 2)
      expect(acknowledged.length).toBe(before)
      expect((await machines.fail({})).cut).toBeGreaterThan(0)
      await written(50)
    }
    await load.stop()
    expect(surprises).toEqual([])
    const losses = await lossesOf((sql) => database.query(sql), acknowledged)
    expect(losses).toEqual({ lost: [], gaps: 0 })
    const { rows } = await database.query('select max(position)::int as last from kernel.event')
    await eventually(() => positions.length >= rows[0].last)
    expect(positions).toEqual(Array.from(positions, (_, at) => at + 1))
  }, 300_000)
})

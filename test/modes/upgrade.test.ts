/**
 * Three processes are replaced by those of this release, one after another, and then by those of the
 * last release again, while clients write and follow events.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../kernel/environment/root.ts'
import { emptyDatabase, type FreshDatabase } from '../kit/database.ts'
import { eventually } from '../kit/eventually.ts'
import { buildRelease, lastRelease } from '../kit/former-release.ts'
import { freePort } from '../kit/free-port.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad } from './load.ts'

let database: FreshDatabase
let dataDir: string
let lastFolder: string
let ports: number[]
let token: string
const programs = new Map<number, Program>()

beforeAll(async () => {
  lastFolder = await buildRelease(await lastRelease())
  database = await emptyDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-upgrade-'))
  ports = [await freePort(), await freePort(), await freePort()]
  token = await liveToken(dataDir, addressOf(ports[0]!))
  // The former release is built from its sources.
}, 480_000)
afterAll(async () => {
  await Promise.all([...programs.values()].map((program) => program.end()))
  await database?.drop()
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

const addressOf = (port: number) => `http://127.0.0.1:${port}`

async function startAt(port: number, folder: string): Promise<Program> {
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: addressOf(ports[0]!),
    SANDBOX_PORT: 'off',
    DATABASE_URL: database.url,
  }
  const program = await startProgram([], settings, folder)
  programs.set(port, program)
  return program
}

/** Replaces the processes one after another. Each has time to serve before the next is stopped. */
async function roll(folder: string): Promise<void> {
  for (const port of ports) {
    expect(await programs.get(port)!.end('SIGTERM')).toBe(0)
    await startAt(port, folder)
    await sleep(500)
  }
}

/** Follows all events, at one process after another: each resumes after the last position. */
function follow() {
  const positions: number[] = []
  let isFollowing = true
  const followAt = async (port: number) => {
    const client = createClient({
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    })
    const query = `subscription { businessEvents(after: "${positions.at(-1) ?? 0}") { position } }`
    try {
      for await (const { data } of client.iterate<{ businessEvents: { position: string } }>({
        query,
      })) {
        positions.push(Number(data!.businessEvents.position))
        if (!isFollowing) return
      }
    } catch {
      // The process stopped, or does not listen yet.
    } finally {
      await client.dispose()
    }
  }
  const following = (async () => {
    for (let at = 0; isFollowing; at++) {
      await followAt(ports[at % ports.length]!)
      await sleep(50)
    }
  })()
  return {
    positions,
    async stop() {
      isFollowing = false
      for (const program of programs.values()) await program.end()
      await following
    },
  }
}

test('processes are replaced by this release and back, and nothing is lost', async () => {
  for (const port of ports) await startAt(port, lastFolder)
  const load = startLoad(ports.map(addressOf), token)
  const follower = follow()
  const { acknowledged } = load
  await eventually(() => acknowledged.length > 50, 60_000)
  await roll(projectRoot)
  const upgraded = acknowledged.length
  expect(upgraded).toBeGreaterThan(100)
  await roll(lastFolder)
  await eventually(() => acknowledged.length > upgraded + 50, 60_000)
  await load.stop()
  expect(load.surprises).toEqual([])

  const client = new pg.Client(database.url)
  await client.connect()
  const { rows: stored } = await client.query('select party_id as id from parties.party')
  const ids = new Set(stored.map(({ id }) => id as string))
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  const sql = 'select count(*)::int as events, max(position)::int as head from kernel.event'
  const { events, head } = (await client.query(sql)).rows[0]
  await client.end()
  expect(events).toBe(head)
  await eventually(() => follower.positions.at(-1) === head, 30_000)
  expect(follower.positions).toEqual(Array.from({ length: head }, (_, at) => at + 1))

  // The processes of the last release say that they work on newer tables, if there are any.
  const { lastMigration } = await lastRelease()
  const migrations = await readdir(join(projectRoot, 'prisma', 'migrations'))
  const hasNewer = migrations.some((name) => name > lastMigration && /^\d/.test(name))
  for (const program of programs.values()) {
    const isSaid = program.output().includes('a newer release has migrated the database')
    expect(isSaid).toBe(hasNewer)
  }
  await follower.stop()
})

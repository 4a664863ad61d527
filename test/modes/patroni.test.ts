/**
 * A cluster of two PostgreSQL servers under Patroni and etcd, as the scripts in `deploy/patroni` start
 * it. Under load, the primary is switched, its server crashes, and its machine vanishes. Nobody
 * intervenes except by starting lost machines again, and nothing acknowledged is lost.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresAccount, type Account } from '../../host/postgres-account.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad } from './load.ts'
import { lossesOf } from './losses.ts'

const programs = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/lib/postgresql/15/bin']
const isInstalled = programs.every((path) => existsSync(path))
if (!isInstalled) console.warn('The test of Patroni is skipped: install patroni and etcd-server.')

const password = 'patroni-test'

interface Member {
  name: string
  port: number
  apiPort: number
  process?: ChildProcess
}

let folder: string
let account: Account
let etcd: ChildProcess
let etcdPort: number
let members: Member[]
let program: Program | undefined
let live: string
let token: string

const dataOf = ({ name }: Member) => join(folder, name)

function startScript(script: string, settings: Record<string, string>): ChildProcess {
  return spawn('bash', [join(folder, 'patroni', script)], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: 'ignore',
    ...account,
  })
}

function startMember(member: Member): void {
  member.process = startScript('start-member.sh', {
    NAME: member.name,
    DATA: dataOf(member),
    PORT: String(member.port),
    API_PORT: String(member.apiPort),
    ETCD: `127.0.0.1:${etcdPort}`,
    SUPERUSER_PASSWORD: password,
    REPLICATION_PASSWORD: password,
  })
}

/** Kills the server of a member, whose other processes then end. */
async function crashServer(member: Member): Promise<void> {
  const file = await readFile(join(dataOf(member), 'postmaster.pid'), 'utf8').catch(() => null)
  try {
    if (file) process.kill(Number(file.split('\n')[0]), 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Ends everything on the machine of a member. */
async function loseMachine(member: Member): Promise<void> {
  member.process?.kill('SIGKILL')
  await crashServer(member)
}

interface Cluster {
  members: { name: string; role: string; state: string }[]
}

/** The members of the cluster by role, as a member sees them; null while none answers. */
async function rolesOf(): Promise<Map<string, Member> | null> {
  for (const { apiPort } of members) {
    try {
      const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`)
      const { members: seen } = (await response.json()) as Cluster
      const running = seen.filter(({ state }) => state === 'running' || state === 'streaming')
      return new Map(
        running.map(({ name, role }) => [role, members.find((each) => each.name === name)!]),
      )
    } catch {
      continue
    }
  }
  return null
}

/** Waits until the cluster has a primary and a synchronous standby, and returns both. */
async function bothRoles(): Promise<{ primary: Member; standby: Member }> {
  return eventually(async () => {
    const roles = await rolesOf()
    const [primary, standby] = [roles?.get('leader'), roles?.get('sync_standby')]
    return primary && standby && { primary, standby }
  }, 90_000)
}

async function query({ port }: Member, sql: string, database = 'bank') {
  const connection = { host: '127.0.0.1', port, user: 'postgres', password, database }
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await client.query(sql)
  } catch {
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function startCluster(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'bankgraph-patroni-'))
  account = await postgresAccount(folder)
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid!)
  await cp(join(projectRoot, 'deploy', 'patroni'), join(folder, 'patroni'), { recursive: true })
  etcdPort = await freePort()
  const peerPort = String(await freePort())
  const data = join(folder, 'etcd')
  etcd = startScript('start-etcd.sh', { DATA: data, PORT: String(etcdPort), PEER_PORT: peerPort })
  members = []
  for (const name of ['node1', 'node2']) {
    const [port, apiPort] = [await freePort(), await freePort()]
    const member = { name, port, apiPort }
    members.push(member)
    startMember(member)
    await eventually(async () => (await query(member, 'select 1', 'postgres')) !== null, 60_000)
  }
  const { primary } = await bothRoles()
  await query(primary, 'create database bank', 'postgres')
  await startBank()
}

async function startBank(): Promise<void> {
  const port = await freePort()
  live = `http://127.0.0.1:${port}`
  const hosts = members.map((member) => `127.0.0.1:${member.port}`).join()
  program = await startProgram([], {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: 'off',
    DATABASE_URL: `postgresql://postgres:${password}@${hosts}/bank?target_session_attrs=read-write`,
  })
  token = await liveToken(join(folder, 'data'), live)
}

async function stopCluster(): Promise<void> {
  await program?.end()
  for (const member of members ?? []) await loseMachine(member)
  etcd?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

const losses = [
  [
    'is switched to the standby, as for maintenance',
    async (primary: Member) => {
      const response = await fetch(`http://127.0.0.1:${primary.apiPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: primary.name }),
      })
      expect(response.status, await response.text()).toBe(200)
    },
  ],
  ['crashes', crashServer],
  ['vanishes with its machine', loseMachine],
] as const

describe.skipIf(!isInstalled)('a cluster under Patroni whose primary', () => {
  let load: ReturnType<typeof startLoad>
  beforeAll(async () => {
    await startCluster()
    load = startLoad([live], token)
    await eventually(() => load.acknowledged.length > 100, 60_000)
  }, 240_000)
  afterAll(stopCluster)

  test.each(losses)(
    '%s: the standby takes over by itself, and nothing acknowledged is lost',
    { timeout: 240_000 },
    async (what, lose) => {
      const { acknowledged, surprises } = load
      const { primary, standby } = await bothRoles()
      const lostAt = Date.now()
      await lose(primary)
      const before = acknowledged.length
      // What was under way when the primary was lost can still be acknowledged.
      await eventually(() => acknowledged.length > before + 100, 120_000)
      console.info(`The primary ${what}: 100 writes later after ${Date.now() - lostAt} ms.`)
      const known = [...acknowledged]
      expect(await lossesOf((sql) => query(standby, sql), known)).toEqual({ lost: [], gaps: 0 })
      expect(surprises).toEqual([])
      // The former primary follows the new one.
      if (primary.process!.exitCode !== null || primary.process!.signalCode !== null) {
        startMember(primary)
      }
      const { primary: next } = await bothRoles()
      expect(next).toBe(standby)
    },
  )

  test('and the members agree in the end', async () => {
    await load.stop()
    const { primary, standby } = await bothRoles()
    const { acknowledged } = load
    for (const member of [primary, standby]) {
      const found = await eventually(async () => {
        const own = await lossesOf((sql) => query(member, sql), acknowledged)
        return own.lost.length === 0 && own
      }, 30_000)
      expect(found).toEqual({ lost: [], gaps: 0 })
    }
  }, 120_000)
})

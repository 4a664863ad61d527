/**
 * Queries read from a replica of the database, in one process and in several. The replica stands
 * still, falls behind and is lost: nobody misses what they wrote or were informed of, and nothing
 * older than the limit is shown.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subgraphs } from '../../subgraphs/index.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { DatabasePair, hasPostgres } from './database-pair.ts'
import { liveToken, startProgram, type Program } from './kit.ts'
import { startLoad } from './load.ts'

const maxLagSeconds = 3

let pair: DatabasePair
let programs: Program[] = []
let live: string
/** Of two clients, neither of which waits for the other's writes. */
let writer: string
let reader: string

async function startBank(isSplit: boolean): Promise<void> {
  pair = await DatabasePair.start({ isSynchronous: false })
  const [port, subgraphPort] = [await freePort(), await freePort()]
  live = `http://127.0.0.1:${port}`
  const urls = subgraphs.map(({ name }) => [
    name,
    `http://127.0.0.1:${subgraphPort}/${name}/graphql`,
  ])
  const settings = {
    DATA_DIR: join(pair.folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: 'off',
    DATABASE_URL: pair.url('primary'),
    READ_DATABASE_URL: pair.url('standby'),
    READ_MAX_LAG_SECONDS: String(maxLagSeconds),
    ...(isSplit && {
      SUBGRAPH_PORT: String(subgraphPort),
      SUBGRAPH_URLS: JSON.stringify(Object.fromEntries(urls)),
    }),
  }
  const roles = isSplit ? [['gateway'], ['subgraph', ...subgraphs.map(({ name }) => name)]] : [[]]
  programs = await Promise.all(roles.map((role) => startProgram(role, settings)))
  writer = await liveToken(settings.DATA_DIR, live, 'client-writer')
  reader = await liveToken(settings.DATA_DIR, live, 'client-reader')
}

async function stopBank(): Promise<void> {
  for (const program of programs) await program.end()
  await pair.stop()
}

async function send(token: string, query: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${live}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
  const { data, errors, extensions } = await response.json()
  expect(errors).toBeUndefined()
  return {
    data,
    position: extensions?.position,
    header: response.headers.get('bankgraph-position'),
  }
}

const create = (partyId: string) =>
  send(
    writer,
    `mutation { createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "A" }) { partyId } }`,
  )
async function sees(token: string, partyId: string, headers = {}): Promise<boolean> {
  const { data } = await send(token, `{ party(partyId: "${partyId}") { partyId } }`, headers)
  return data.party !== null
}

/** Whether the replica answers queries: only its statistics say so. */
async function isReplicaRead(): Promise<boolean> {
  const reads = 'select sum(seq_scan + idx_scan)::int as reads from pg_stat_user_tables'
  const count = async () => {
    const result = await pair.query('standby', `${reads} where schemaname = 'parties'`)
    return result?.rows[0].reads as number
  }
  const before = await count()
  await sees(reader, 'pty_none')
  // A server publishes its statistics once a second.
  return eventually(async () => (await count()) > before, 2500).then(
    () => true,
    () => false,
  )
}

describe.skipIf(!hasPostgres).each([
  ['one process', false],
  ['a gateway and a process of subgraphs', true],
])('queries of %s that read from a replica', (_, isSplit) => {
  beforeAll(() => startBank(isSplit), 120_000)
  afterAll(stopBank)

  test('read from it, and from the primary what the replica does not have yet', async () => {
    await create('pty_first')
    await eventually(isReplicaRead, 30_000)
    expect(await sees(reader, 'pty_first')).toBe(true)
    await pair.query('standby', 'select pg_wal_replay_pause()')
    const { header } = await create('pty_second')
    expect(await sees(writer, 'pty_second')).toBe(true)
    expect(await sees(reader, 'pty_second')).toBe(false)
    // An event, a webhook or the response to the write named the position.
    expect(await sees(reader, 'pty_second', { 'bankgraph-position': header! })).toBe(true)
  })

  test('read from the primary while the replica is further behind than the limit', async () => {
    await eventually(() => sees(reader, 'pty_second'), (maxLagSeconds + 5) * 1000)
    await pair.query('standby', 'select pg_wal_replay_resume()')
    await eventually(isReplicaRead, 30_000)
    expect(await sees(reader, 'pty_second')).toBe(true)
  })

  test('name a position up to which they missed nothing', async () => {
    await pair.query('standby', 'select pg_wal_replay_pause()')
    const { position } = await send(reader, '{ party(partyId: "pty_third") { partyId } }')
    await create('pty_third')
    const after = await send(reader, '{ party(partyId: "pty_third") { partyId } }')
    expect(after.data.party).toBeNull()
    expect(BigInt(after.position)).toBe(BigInt(position))
    const page = `{ businessEvents(after: "${after.position}", first: 10) { nodes { type } } }`
    const { data } = await send(writer, page)
    expect(data.businessEvents.nodes).toContainEqual({ type: 'parties.party.created' })
    await pair.query('standby', 'select pg_wal_replay_resume()')
  })

  test('fail for nobody when the replica is lost, and read from it when it is back', async () => {
    await eventually(isReplicaRead, 30_000)
    const load = startLoad([live], writer)
    let isLost = false
    const failures: unknown[] = []
    const reading = (async () => {
      while (!isLost) await sees(reader, 'pty_first').catch((error) => failures.push(error))
    })()
    await eventually(() => load.acknowledged.length > 50, 30_000)
    await pair.control('standby', 'stop', '-m', 'immediate')
    const before = load.acknowledged.length
    await eventually(() => load.acknowledged.length > before + 50, 30_000)
    isLost = true
    await reading
    await load.stop()
    expect([...load.surprises, ...failures]).toEqual([])
    await pair.control('standby', 'start', '--no-wait')
    await eventually(isReplicaRead, 30_000)
    const [last] = load.acknowledged.slice(-1)
    await eventually(() => sees(reader, last!), 10_000)
  })
})

/**
 * The program is stopped while clients send requests and follow events: what is in flight is
 * answered, nobody's connection is cut, and the process ends in time.
 */
import { Agent, request as httpRequest } from 'node:http'
import pg from 'pg'
import { createClient, type Client } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../kit/eventually.ts'
import { aCompletePlatform, type RunningPlatform } from './kit.ts'

const delaySeconds = 2

let bank: RunningPlatform
let token: string
let database: pg.Client
beforeAll(async () => {
  bank = await aCompletePlatform({ SHUTDOWN_DELAY_SECONDS: String(delaySeconds) })
  token = bank.token()
  database = new pg.Client(bank.settings['DATABASE_URL'])
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await bank?.stop()
})

interface Sent {
  status: number | null
  code?: string
  connection?: string | undefined
  body: string
}

/** Sends one request over a connection of the agent. Resolves with the error code if it was cut. */
function send(agent: Agent, path: string, body?: object): Promise<Sent> {
  return new Promise((resolve) => {
    const request = httpRequest(`${bank.live}${path}`, {
      agent,
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    request.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      const { statusCode: status = null, headers } = response
      response.on('end', () => resolve({ status, connection: headers.connection, body: text }))
      response.on('error', (error) => resolve({ status: null, code: error.message, body: text }))
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: null, code: error.code ?? error.message, body: '' }),
    )
    request.end(body && JSON.stringify(body))
  })
}

const oneConnection = () => new Agent({ keepAlive: true, maxSockets: 1 })

const createParty = (agent: Agent, partyId: string) =>
  send(agent, '/graphql', {
    query: `mutation { createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "A", familyName: "B" }) { partyId } }`,
  })

/** Follows all events. Resolves `closed` with the code and the reason of the close. */
function follow(): { client: Client; received: string[]; closed: Promise<CloseEvent> } {
  const received: string[] = []
  let onClosed: (event: CloseEvent) => void
  const closed = new Promise<CloseEvent>((resolve) => (onClosed = resolve))
  const client = createClient({
    url: `${bank.live.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    on: { closed: (event) => onClosed(event as CloseEvent) },
  })
  client.subscribe<{ businessEvents: { position: string } }>(
    { query: 'subscription { businessEvents(after: "0") { position } }' },
    {
      next: ({ data }) => received.push(data!.businessEvents.position),
      error: () => undefined,
      complete: () => undefined,
    },
  )
  return { client, received, closed }
}

test('a stop under load answers what is in flight, and tells subscribers where to resume', async () => {
  await createParty(oneConnection(), 'pty_first')
  const { received, closed } = follow()
  await eventually(() => received.length > 0)
  const idle = oneConnection()
  expect((await send(idle, '/agreements')).status).toBe(200)

  // Ten writes that last until the lock is released, long after the server stopped listening.
  await database.query('begin')
  await database.query('lock table parties.party in access exclusive mode')
  // How many of them wait for the lock by themselves is not certain: some may share a read.
  const slow = Array.from({ length: 10 }, (_, i) => createParty(oneConnection(), `pty_${i}`))
  const waits = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await eventually(async () => (await database.query(waits)).rowCount)

  // Clients that send one request after another, until a balancer would send them elsewhere.
  let isSending = true
  const answers: Sent[] = []
  const steady = Array.from({ length: 10 }, async () => {
    const agent = oneConnection()
    while (isSending) answers.push(await send(agent, '/agreements'))
  })
  // The ten writes came before the first of these requests, so the server has them all.
  await eventually(() => answers.length > 50)
  const stoppedAt = performance.now()
  const ended = bank.programs.get('all')!.end('SIGTERM')
  await eventually(async () => (await send(oneConnection(), '/readyz')).status === 503)
  const beforeDrain = answers.length
  await eventually(() => answers.length > beforeDrain + 50)
  isSending = false
  await Promise.all(steady)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(answers.at(-1)!.connection).toBe('close')

  // The server no longer listens, and the writes still run.
  await eventually(
    async () => (await send(oneConnection(), '/readyz')).code === 'ECONNREFUSED',
    (delaySeconds + 5) * 1000,
  )
  await database.query('commit')
  // On a slow machine the lock is held for longer than a write waits, which is an answer, too.
  for (const { status, body, connection } of await Promise.all(slow)) {
    const code = JSON.parse(body).errors?.[0].extensions.code ?? 'done'
    expect(['done', 'RESOURCE_BUSY']).toContain(code)
    expect([status, connection]).toEqual([200, 'close'])
  }
  const { code, reason } = await closed
  const { rows } = await database.query<{ position: string }>('select position from kernel.head')
  expect([code, reason]).toEqual([
    1001,
    expect.stringMatching(/^The server is shutting down\. Resume after position \d+\.$/),
  ])
  const resumeAfter = BigInt(/\d+/.exec(reason)![0])
  expect(resumeAfter).toBeGreaterThanOrEqual(BigInt(received.at(-1)!))
  expect(resumeAfter).toBeLessThanOrEqual(BigInt(rows[0]!.position))
  expect(await ended).toBe(0)
  // The idle connection, which the server would otherwise keep for a minute, does not delay the end.
  expect(performance.now() - stoppedAt).toBeLessThan((delaySeconds + 8) * 1000)
  bank.programs.delete('all')
}, 60_000)

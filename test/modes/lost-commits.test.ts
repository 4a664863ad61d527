/**
 * The primary database is lost together with commits that its asynchronous standby does not have. The
 * standby is promoted, and new events get the positions of the lost ones. Two processes that had read
 * the lost events deliver the new ones, each once and in order.
 */
import { join } from 'node:path'
import { createClient, type Client } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { eventually } from '../kit/eventually.ts'
import { freePort } from '../kit/free-port.ts'
import { DatabasePair, hasPostgres } from './database-pair.ts'
import { liveToken, queryGraph, startProgram, type Program } from './kit.ts'

const types = '["parties.party.created"]'

interface Received {
  eventId: string
  position: string
}

/** A process of the bank, and a subscription that runs all the time. */
interface Participant {
  program: Program
  url: string
  token: string
  socket: Client
  received: Received[]
}

let pair: DatabasePair
let broker: Broker
let participants: Participant[] = []

async function aParticipant(): Promise<Participant> {
  const port = await freePort()
  const hosts = ['primary', 'standby'].map(
    (server) => `127.0.0.1:${pair.ports[server as 'primary' | 'standby']}`,
  )
  const dataDir = join(pair.folder, 'data')
  const program = await startProgram([], {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: 'off',
    NATS_URL: broker.url,
    DATABASE_URL: `postgresql://bank@${hosts.join(',')}/bank?target_session_attrs=read-write`,
  })
  const url = `http://127.0.0.1:${port}`
  const token = await liveToken(dataDir, url)
  const socket = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
  })
  const participant: Participant = { program, url, token, socket, received: [] }
  subscribe(participant, '', (event) => participant.received.push(event))
  return participant
}

/** Subscribes; `onError` receives the code of the error that ends the subscription. */
function subscribe(
  { socket }: Participant,
  resume: string,
  onEvent: (event: Received) => void,
  onError: (error: { code: string; message: string }) => void = () => undefined,
): void {
  const query = `subscription { businessEvents(types: ${types} ${resume}) { eventId position } }`
  socket.subscribe<{ businessEvents: Received }>(
    { query },
    {
      next: ({ data }) => void (data && onEvent(data.businessEvents)),
      error: (errors) => {
        const [error] = errors as { message: string; extensions: { code: string } }[]
        onError({ code: error!.extensions.code, message: error!.message })
      },
      complete: () => undefined,
    },
  )
}

/** Creates a party, and tries again while the database is away. */
const create = ({ url, token }: Participant, partyId: string) =>
  eventually(async () => {
    const query = `mutation { createParty(input: { partyId: "${partyId}", kind: PERSON, givenName: "A" }) { partyId } }`
    const { body } = await queryGraph(`${url}/graphql`, token, { query }).catch(() => ({
      body: {},
    }))
    return body.data?.createParty
  }, 60_000)

async function createMany(name: string, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await create(participants[at % 2]!, `pty_${name}_${at}`)
}

async function rows<Row>(server: 'primary' | 'standby', sql: string): Promise<Row[]> {
  return (await eventually(() => pair.query(server, sql), 30_000)).rows
}

const eventsSql = `select event_id as "eventId", position from kernel.event
  where type = 'parties.party.created' order by position::bigint`

async function lostCount({ url, token }: Participant): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const pattern = /^event_log_lost_events_total\{environment="live"\} (\d+)$/m
  return Number(pattern.exec(await response.text())?.[1])
}

describe.skipIf(!hasPostgres || !hasBroker)('a failover that loses commits', () => {
  let kept: Received[]
  let lost: Received[]

  beforeAll(async () => {
    pair = await DatabasePair.start({ isSynchronous: false })
    broker = await aBroker()
    participants = [await aParticipant(), await aParticipant()]
  }, 240_000)
  afterAll(async () => {
    for (const { socket, program } of participants) {
      await socket.dispose()
      await program.end()
    }
    await broker?.stop()
    await pair?.stop()
  })

  test('subscriptions of all processes receive the new events at the lost positions', async () => {
    const [one] = participants as [Participant]
    for (const mutation of [
      'registerWebhookEndpoint(input: { url: "https://hooks.example.com/bank" }) { secret }',
      'createEventSubscription(input: { eventType: "parties.*" }) { subscriptionId }',
    ]) {
      const query = `mutation { ${mutation} }`
      const { body } = await queryGraph(`${one.url}/graphql`, one.token, { query })
      expect(body.errors).toBeUndefined()
    }
    await createMany('kept', 4)
    const headSql = 'select position from kernel.head'
    await eventually(async () => {
      const [primary, standby] = [await rows('primary', headSql), await rows('standby', headSql)]
      return JSON.stringify(primary) === JSON.stringify(standby)
    })
    kept = await rows('primary', eventsSql)
    await rows('standby', "alter system set primary_conninfo = ''; select pg_reload_conf()")
    const isCut = 'select from pg_stat_wal_receiver'
    await eventually(async () => (await rows('standby', isCut)).length === 0)
    await createMany('lost', 4)
    const all = await rows<Received>('primary', eventsSql)
    lost = all.slice(kept.length)
    expect(lost).toHaveLength(4)
    await eventually(() => participants.every(({ received }) => received.length === all.length))
    await pair.control('primary', 'stop', '-m', 'immediate')
    await pair.control('standby', 'promote')
    await createMany('new', 8)
    const current = await rows<Received>('standby', eventsSql)
    const added = current.slice(kept.length)
    expect(added).toHaveLength(8)
    const lostPositions = new Set(lost.map(({ position }) => position))
    expect(added.some(({ position }) => lostPositions.has(position))).toBe(true)
    for (const { received } of participants) {
      await eventually(() => received.length === all.length + added.length, 30_000)
      expect(received).toEqual([...all, ...added])
    }
    for (const participant of participants) {
      expect(await lostCount(participant)).toBeGreaterThanOrEqual(lost.length)
      expect(participant.program.output()).toContain('a failover lost events')
    }
  })

  test('webhooks go on, and each new event has one delivery', async () => {
    await eventually(async () => {
      const behind = `select name from kernel.consumer, kernel.head
        where name = 'events.webhooks' and consumer.position < head.position`
      return (await rows('standby', behind)).length === 0
    }, 30_000)
    const planned = await rows<{ count: string }>(
      'standby',
      `select e.event_id, count(d.delivery_id)::int as count from kernel.event e
       left join events.delivery d on d.event_id = e.event_id
       where e.type = 'parties.party.created' group by 1`,
    )
    expect(planned.map(({ count }) => count)).toEqual(planned.map(() => 1))
  })

  test('a subscription that resumes after a lost event learns it, after a kept one it resumes', async () => {
    const current = await rows<Received>('standby', eventsSql)
    for (const participant of participants) {
      const place = ({ position, eventId }: Received) =>
        `after: "${position}" afterEventId: "${eventId}"`
      const error = await new Promise<{ code: string; message: string }>((resolve) =>
        subscribe(participant, place(lost[1]!), () => undefined, resolve),
      )
      expect(error.code).toBe('POSITION_NOT_IN_LOG')
      const common = /has the position (\d+);/.exec(error.message)![1]!
      expect(BigInt(common)).toBeGreaterThanOrEqual(BigInt(kept.at(-1)!.position))
      const received: Received[] = []
      subscribe(participant, place(kept[2]!), (event) => received.push(event))
      await eventually(() => received.length === current.length - 3)
      expect(received).toEqual(current.slice(3))
    }
  })
})

import { randomUUID } from 'node:crypto'
import { connect, headers } from '@nats-io/transport-node'
import { jetstreamManager } from '@nats-io/jetstream'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { EventBroker } from '../../kernel/events/event-broker.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import type { EventBatch } from '../../kernel/events/event-ring.ts'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { batchOf, news } from './event-batches.ts'
import { freshDatabase } from '../kit/database.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'
import { fixedRing, type KeyRing } from '../../kernel/environment/key-ring.ts'

// Uses the broker at NATS_URL, or else starts a nats-server of its own; skipped when there is
// neither.
const provided = process.env['NATS_URL']
const log = pino({ level: 'silent' })
const secret: string = randomUUID()

test('rejects an invalid NATS_URL at startup', () => {
  expect(() => parseConfig({ NATS_URL: 'http://127.0.0.1:4222' })).toThrow('NATS_URL')
  expect(parseConfig({ NATS_URL: 'tls://broker.example' }).natsUrl).toBe('tls://broker.example')
})

describe.skipIf(!provided && !hasBroker)('EventBroker (needs NATS_URL or a nats-server)', () => {
  let own: Broker | null = null
  let url: string
  const open: EventBroker[] = []
  const names = new Set<string>()
  beforeAll(async () => {
    own = provided ? null : await aBroker()
    url = provided ?? own!.url
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.stop()))
  })
  afterAll(async () => {
    const connection = await connect({ servers: new URL(url).host })
    const manager = await jetstreamManager(connection)
    for (const name of names) await manager.streams.delete(name)
    await connection.close()
    await own?.stop()
  })

  const aBrokerClient = async (logName: string, ownSecret: string | KeyRing = secret) => {
    const taken: EventBatch[] = []
    const provider = new EventBroker(
      url,
      typeof ownSecret === 'string' ? fixedRing(ownSecret) : ownSecret,
      log,
    )
    open.push(provider)
    provider.start(logName, (batch) => taken.push(batch))
    await eventually(() => provider.isUp)
    names.add(provider.name)
    return { brokerClient: provider, taken }
  }

  test('delivers a batch of events unchanged to other processes', async () => {
    const name = randomUUID()
    const [one, two] = [await aBrokerClient(name), await aBrokerClient(name)]
    one.brokerClient.publish(batchOf(news(1n), news(2n)))
    await eventually(() => two.taken.length === 1)
    expect(two.taken).toEqual([batchOf(news(1n), news(2n))])
  })

  test('delivers other events at the same positions, as after a failover', async () => {
    const name = randomUUID()
    const [one, two] = [await aBrokerClient(name), await aBrokerClient(name)]
    const other = { ...news(2n), eventId: 'evt_other' }
    one.brokerClient.publish(batchOf(news(2n)))
    one.brokerClient.publish(batchOf(news(2n)))
    one.brokerClient.publish(batchOf(other))
    await eventually(() => two.taken.length >= 2)
    expect(two.taken).toEqual([batchOf(news(2n)), batchOf(other)])
  })

  test('ignores events of other logs, and messages without a valid signature', async () => {
    const name = randomUUID()
    const subscriber = await aBrokerClient(name)
    const outsider = await aBrokerClient(name, 'another secret')
    const other = await aBrokerClient(randomUUID())
    outsider.brokerClient.publish(batchOf(news(1n)))
    other.brokerClient.publish(batchOf(news(2n)))
    const connection = await connect({ servers: new URL(url).host })
    const body = JSON.stringify([{ ...news(3n), position: '3' }])
    const forged = headers()
    forged.set('bankgraph-seal', 'x'.repeat(43))
    connection.publish(subscriber.brokerClient.name, body)
    connection.publish(subscriber.brokerClient.name, body, { headers: forged })
    connection.publish(subscriber.brokerClient.name, 'nonsense')
    await connection.flush()
    await connection.close()
    const friend = await aBrokerClient(name)
    friend.brokerClient.publish(batchOf(news(4n)))
    await eventually(() => subscriber.taken.length > 0)
    expect(subscriber.taken).toEqual([batchOf(news(4n))])
  })
})

describe.skipIf(!hasBroker)('Event broker between two processes (needs a nats-server)', () => {
  test('delivers the event log to a process that does not read the database', async () => {
    const broker = await aBroker()
    const { writing, hearing: listening, stop } = await twoProcesses(broker.url)
    const before = await metric(writing, 'event_broker_published_total')
    const { pool } = listening.bank
    const query = pool.query.bind(pool) as (...request: unknown[]) => Promise<unknown>
    pool.query = ((...request: [{ text?: string }]) =>
      request[0].text?.includes('from kernel.event where position')
        ? Promise.reject(new Error('This process must not read the log from the database.'))
        : query(...request)) as never
    await Promise.all(Array.from({ length: 50 }, (_, at) => createParty(writing, `pty_${at}`)))
    await eventually(() => listening.bank.events.head === 51n)
    const received = await listening.bank.events.after(listening.bank.events.cursorAt(1n))
    expect(received.map(({ position }) => Number(position))).toEqual(upTo(51).slice(1))
    expect(await metric(listening, 'event_broker_connected')).toBe(1)
    await eventually(
      async () => (await metric(writing, 'event_broker_published_total')) === before + 50,
    )
    await stop()
    await broker.stop()
  })

  test('causes no lost write or event when it is killed, frozen, emptied or stopped', async () => {
    const broker = await aBroker()
    const { writing, hearing: listening, stop } = await twoProcesses(broker.url)
    let isWriting = true
    // With the first event, of the key that signs tokens.
    let written = 1
    let slowestMs = 0
    const writer = async (name: string) => {
      for (let at = 0; isWriting; at++) {
        const startedAt = Date.now()
        await createParty(at % 2 ? writing : listening, `pty_${name}_${at}`)
        slowestMs = Math.max(slowestMs, Date.now() - startedAt)
        written++
      }
    }
    const writers = ['a', 'b'].map(writer)
    const received = { writing: listen(writing), listening: listen(listening) }
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const isBack = () =>
      eventually(
        () => writing.bank.events.isBrokerConnected && listening.bank.events.isBrokerConnected,
        15_000,
      )
    for (let round = 0; round < 2; round++) {
      await pause(500)
      await broker.kill()
      await pause(500)
      // The broker keeps streams in memory, so it restarts without any.
      await broker.start()
      await isBack()
      broker.freeze()
      await pause(1500)
      broker.thaw()
      await isBack()
      await deleteStreams(broker.url)
    }
    await broker.kill()
    await pause(500)
    isWriting = false
    await Promise.all(writers)
    const all = upTo(written)
    await eventually(
      () => received.listening.length >= written && received.writing.length >= written,
    )
    expect(received.listening).toEqual(all)
    expect(received.writing).toEqual(all)
    expect(slowestMs).toBeLessThan(2000)
    await broker.start()
    await isBack()
    expect(await metric(listening, 'event_broker_reconnects_total')).toBeGreaterThan(2)
    // Without writes of its own, this process learns of new events only from the broker and its poll.
    broker.freeze()
    for (
      let late = 0;
      (await metric(listening, 'event_broker_refilled_gaps_total')) === 0;
      late++
    ) {
      await createParty(writing, `pty_late_${late}`)
      await pause(300)
    }
    broker.thaw()
    await stop()
    await broker.stop()
  })
})

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Two platforms on one database and one broker, standing in for two processes. */
async function twoProcesses(natsUrl: string) {
  const database = await freshDatabase()
  const settings = { NATS_URL: natsUrl }
  const writing = await aPlatform('live', database.url, true, settings)
  const listening = await aPlatform('live', database.url, true, settings)
  await eventually(
    () => writing.bank.events.isBrokerConnected && listening.bank.events.isBrokerConnected,
  )
  // The first event records the key that signs tokens.
  await eventually(() => writing.bank.events.head === 1n && listening.bank.events.head === 1n)
  return {
    writing,
    hearing: listening,
    async stop() {
      await writing.stop()
      await listening.stop()
      await database.drop()
    },
  }
}

async function createParty(bank: Platform, partyId: string): Promise<void> {
  const { body } = await bank.graph(
    `mutation ($partyId: ID!) {
      createParty(input: { partyId: $partyId, kind: PERSON, givenName: "Ada", familyName: "L" }) { partyId }
    }`,
    { partyId },
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
}

/** The value of a Prometheus metric. */
async function metric(bank: Platform, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${bank.token()}` }
  const text = await (await fetch(`${bank.url}/metrics`, { headers })).text()
  return Number(new RegExp(`^${name}\\{environment="live"\\} (\\S+)$`, 'm').exec(text)?.[1])
}

/** The positions that a subscriber receives from the beginning, in the order of their arrival. */
function listen(bank: Platform): number[] {
  const received: number[] = []
  bank.socket().subscribe<{ businessEvents: { position: string } }>(
    { query: 'subscription { businessEvents(after: "0") { position } }' },
    {
      next: ({ data }) => received.push(Number(data!.businessEvents.position)),
      error: () => undefined,
      complete: () => undefined,
    },
  )
  return received
}

async function deleteStreams(url: string): Promise<void> {
  const connection = await connect({ servers: new URL(url).host })
  const manager = await jetstreamManager(connection)
  for await (const name of manager.streams.names()) await manager.streams.delete(name)
  await connection.close()
}

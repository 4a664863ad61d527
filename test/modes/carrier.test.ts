import { randomUUID } from 'node:crypto'
import { connect, headers } from '@nats-io/transport-node'
import { jetstreamManager } from '@nats-io/jetstream'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Carrier } from '../../subgraphs/_kernel/carrier.ts'
import { parseConfig } from '../../subgraphs/_kernel/config.ts'
import { openDatabase } from '../../subgraphs/_kernel/db.ts'
import type { EventNews } from '../../subgraphs/_kernel/events.ts'
import { EventLog } from '../../subgraphs/_kernel/log.ts'
import { aBroker, hasBroker, type Broker } from '../kit/broker.ts'
import { freshDatabase } from '../kit/database.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

// The broker of the machine where NATS_URL names one, else one of the test's own; without either skipped.
const given = process.env['NATS_URL']
const log = pino({ level: 'silent' })
const secret: string = randomUUID()

const news = (position: bigint): EventNews => ({
  position,
  eventId: `evt_${position}`,
  type: 'parties.party.created',
  subject: `party/pty_${position}`,
  parties: [`pty_${position}`],
  correlationId: 'test',
})

test('an address that is none is refused when the program starts', () => {
  expect(() => parseConfig({ NATS_URL: 'http://127.0.0.1:4222' })).toThrow('NATS_URL')
  expect(parseConfig({ NATS_URL: 'tls://broker.example' }).natsUrl).toBe('tls://broker.example')
})

describe.skipIf(!given && !hasBroker)('a carrier (needs NATS_URL or a nats-server)', () => {
  let own: Broker | null = null
  let url: string
  const open: Carrier[] = []
  const names = new Set<string>()
  beforeAll(async () => {
    own = given ? null : await aBroker()
    url = given ?? own!.url
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

  const aCarrier = async (logName: string, ownSecret = secret) => {
    const taken: EventNews[][] = []
    const carrier = new Carrier(url, ownSecret, log)
    open.push(carrier)
    carrier.start(logName, (events) => taken.push(events))
    await eventually(() => carrier.isUp)
    names.add(carrier.name)
    return { carrier, taken }
  }

  test('brings a batch to the other processes as it was', async () => {
    const name = randomUUID()
    const [one, two] = [await aCarrier(name), await aCarrier(name)]
    one.carrier.carry([news(1n), news(2n)])
    await eventually(() => two.taken.length === 1)
    expect(two.taken).toEqual([[news(1n), news(2n)]])
  })

  test('takes no other log’s news, and none without the seal of its environment', async () => {
    const name = randomUUID()
    const hearer = await aCarrier(name)
    const stranger = await aCarrier(name, 'another secret')
    const other = await aCarrier(randomUUID())
    stranger.carrier.carry([news(1n)])
    other.carrier.carry([news(2n)])
    const connection = await connect({ servers: new URL(url).host })
    const body = JSON.stringify([{ ...news(3n), position: '3' }])
    const forged = headers()
    forged.set('bankgraph-seal', 'x'.repeat(43))
    connection.publish(hearer.carrier.name, body)
    connection.publish(hearer.carrier.name, body, { headers: forged })
    connection.publish(hearer.carrier.name, 'nonsense')
    await connection.flush()
    await connection.close()
    const friend = await aCarrier(name)
    friend.carrier.carry([news(4n)])
    await eventually(() => hearer.taken.length > 0)
    expect(hearer.taken).toEqual([[news(4n)]])
  })
})

/** A broker as a test plays it: up, and bringing what it is told to. */
class PlayedCarrier extends Carrier {
  bring: (events: EventNews[]) => void = () => undefined
  override start(_log: string, take: (events: EventNews[]) => void): void {
    this.bring = take
  }
  override carry(): void {}
  override get isUp(): boolean {
    return true
  }
}

test('a log counts the gaps it filled from the database, and what it knew', async () => {
  const database = await freshDatabase()
  const { pool, close } = openDatabase(database.url, log)
  const carrier = new PlayedCarrier('nats://127.0.0.1:1', secret, log)
  const hearing = new EventLog(pool, log, carrier)
  await hearing.start()
  expect(hearing.broker).toMatchObject({ isConnected: true, refilledGaps: 0, duplicates: 0 })
  let last = 0n
  // Its poll may come before what is brought, now and then.
  await eventually(async () => {
    await pool.query(storeSql, [String(last + 1n)])
    await pool.query(storeSql, [String(last + 2n)])
    last += 2n
    carrier.bring([news(last)])
    await eventually(() => hearing.head === last)
    return hearing.broker!.refilledGaps > 0
  })
  const before = hearing.broker!.duplicates
  carrier.bring([news(last - 1n), news(last), news(last + 1n)])
  expect(hearing.head).toBe(last + 1n)
  expect(hearing.broker!.duplicates - before).toBe(2)
  await hearing.stop()
  await close()
  await database.drop()
})

const storeSql = `insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties,
    correlation_id, actor)
  select n, 'evt_' || n, 'parties.party.created', 'party/pty_' || n, 1, now(), '{}', '{}', 'test', 'test'
  from (values ($1::bigint)) wanted (n)`

describe.skipIf(!hasBroker)('a broker between two processes (needs a nats-server)', () => {
  test('brings a process the log without its own reading it', async () => {
    const broker = await aBroker()
    const { writing, hearing, stop } = await twoProcesses(broker.url)
    const { pool } = hearing.bank
    const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>
    pool.query = ((...asked: [{ text?: string }]) =>
      asked[0].text?.includes('from kernel.event where position')
        ? Promise.reject(new Error('This process may not read the log.'))
        : query(...asked)) as never
    await Promise.all(Array.from({ length: 50 }, (_, at) => createParty(writing, `pty_${at}`)))
    await eventually(() => hearing.bank.events.head === 50n)
    const heard = await hearing.bank.events.after(0n)
    expect(heard.map(({ position }) => Number(position))).toEqual(upTo(50))
    expect(await metric(hearing, 'event_broker_connected')).toBe(1)
    await eventually(async () => (await metric(writing, 'event_broker_published_total')) === 50)
    await stop()
    await broker.stop()
  })

  test('that fails costs no write and no event: killed, frozen, emptied, away', async () => {
    const broker = await aBroker()
    const { writing, hearing, stop } = await twoProcesses(broker.url)
    let isWriting = true
    let written = 0
    let slowestMs = 0
    const writer = async (name: string) => {
      for (let at = 0; isWriting; at++) {
        const startedAt = Date.now()
        await createParty(at % 2 ? writing : hearing, `pty_${name}_${at}`)
        slowestMs = Math.max(slowestMs, Date.now() - startedAt)
        written++
      }
    }
    const writers = ['a', 'b'].map(writer)
    const heard = { writing: listen(writing), hearing: listen(hearing) }
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    const isBack = () =>
      eventually(() => writing.bank.events.isCarried && hearing.bank.events.isCarried, 15_000)
    for (let round = 0; round < 2; round++) {
      await pause(500)
      await broker.kill()
      await pause(500)
      // It keeps streams in memory: it comes back without any.
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
    await eventually(() => heard.hearing.length >= written && heard.writing.length >= written)
    expect(heard.hearing).toEqual(all)
    expect(heard.writing).toEqual(all)
    expect(slowestMs).toBeLessThan(2000)
    await broker.start()
    await isBack()
    expect(await metric(hearing, 'event_broker_reconnects_total')).toBeGreaterThan(2)
    // While it only listens, it has nothing else to hear by.
    broker.freeze()
    for (let late = 0; (await metric(hearing, 'event_broker_refilled_gaps_total')) === 0; late++) {
      await createParty(writing, `pty_late_${late}`)
      await pause(300)
    }
    broker.thaw()
    await stop()
    await broker.stop()
  })
})

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Two processes' worth of platform on one database and one broker. */
async function twoProcesses(natsUrl: string) {
  const database = await freshDatabase()
  const settings = { NATS_URL: natsUrl }
  const writing = await aPlatform('live', database.url, true, settings)
  const hearing = await aPlatform('live', database.url, true, settings)
  await eventually(() => writing.bank.events.isCarried && hearing.bank.events.isCarried)
  return {
    writing,
    hearing,
    async stop() {
      await writing.stop()
      await hearing.stop()
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

/** A figure as Prometheus reads it. */
async function metric(bank: Platform, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${bank.token()}` }
  const text = await (await fetch(`${bank.url}/metrics`, { headers })).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

/** The positions a subscriber hears from the beginning, in the order in which they come. */
function listen(bank: Platform): number[] {
  const heard: number[] = []
  bank.socket().subscribe<{ businessEvents: { position: string } }>(
    { query: 'subscription { businessEvents(after: "0") { position } }' },
    {
      next: ({ data }) => heard.push(Number(data!.businessEvents.position)),
      error: () => undefined,
      complete: () => undefined,
    },
  )
  return heard
}

async function deleteStreams(url: string): Promise<void> {
  const connection = await connect({ servers: new URL(url).host })
  const manager = await jetstreamManager(connection)
  for await (const name of manager.streams.names()) await manager.streams.delete(name)
  await connection.close()
}

/**
 * Commits append their events to the event log: each event once, in the order of its subject, and
 * known to this process without a read, whichever way it took.
 */
import 'reflect-metadata'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Bank } from '../../kernel/environment/bank.ts'
import { createContext } from '../../kernel/environment/context.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { command } from '../../kernel/writing/command.ts'
import { insert, update } from '../../kernel/writing/writes.ts'
import { payments } from '../../subgraphs/payments/index.ts'
import { eventually } from '../kit/eventually.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

declareEvents({ 'tests.counter.rose': 'A counter has risen.' })

let bank: RunningSubgraph
let other: Bank
beforeAll(async () => {
  bank = await aSubgraph(payments)
  other = bank.another().bank
  await bank.rows('create table kernel.counter (id text primary key, version int not null)')
  await Promise.all([bank.bank.events.start(), other.events.start()])
})
afterAll(() => bank.drop())

/** Raises a counter by one, and emits an event with its new value. */
function raise(
  counter: string,
  { on = bank.bank, key = '', parties = [] as string[] } = {},
): Promise<number> {
  const { envelope } = bankContext(on)
  const context = createContext(on, aCaller(), { ...envelope, ...(key && { idempotencyKey: key }) })
  return command(context, 'raise', { counter }, async () => {
    const sql = 'select version from kernel.counter where id = $1'
    const { rows } = await on.pool.query(sql, [counter])
    const before: number = rows[0]?.version ?? 0
    const version = before + 1
    const write = rows[0]
      ? update('kernel.counter', { id: counter }, before, {})
      : insert('kernel.counter', { id: counter, version })
    const subject = `counter/${counter}`
    const event = { type: 'tests.counter.rose', subject, version, data: { version }, parties }
    return { result: version, writes: [write], events: [event] }
  })
}

const waiting = async () => (await bank.rows('select from kernel.outbox')).length

/** The versions that the events of a counter report, in the order of the log. */
const reported = async (counter: string): Promise<number[]> => {
  const sql = `select position::int, sequence, data -> 'version' as version from kernel.event
    where subject = $1 order by position`
  const rows = await bank.rows(sql, [`counter/${counter}`])
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, at) => at + 1))
  return rows.map(({ version }) => version)
}

async function requireSoundLog(): Promise<void> {
  await eventually(async () => (await waiting()) === 0)
  const rows = await bank.rows(
    'select position::int, event_id as "eventId", type, subject, parties, correlation_id as "correlationId" from kernel.event order by position',
  )
  expect(rows.map(({ position }) => position)).toEqual(rows.map((_, at) => at + 1))
  for (const { events } of [bank.bank, other]) {
    await eventually(() => events.head === BigInt(rows.length))
    const known = await events.after(events.cursorAt(0n))
    expect(known.map((event) => ({ ...event, position: Number(event.position) }))).toEqual(rows)
  }
}

/** Runs `act` while another session holds the end of the log. */
async function whileHeadIsHeld(act: () => Promise<void>): Promise<void> {
  const client = new pg.Client(bank.bank.pool.options as pg.ClientConfig)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from kernel.head for update')
    await act()
    await client.query('commit')
  } finally {
    await client.end()
  }
}

test('an acknowledged event is in the log, and this process knows it without a read', async () => {
  const { pool, events } = bank.bank
  const { head } = events
  // A read of the log, which the notification of the event may start, waits until the test is over.
  let endTest = () => undefined as void
  const isOver = new Promise<void>((resolve) => (endTest = resolve))
  const query = pool.query.bind(pool)
  const spy = vi.spyOn(pool, 'query').mockImplementation(((config: pg.QueryConfig, values: []) => {
    const isRead = /kernel\.(event|sequence_events)\b/.test(JSON.stringify(config))
    return isRead ? isOver.then(() => query(config, values)) : query(config, values)
  }) as never)
  await raise('one')
  expect(events.head).toBe(head + 1n)
  endTest()
  spy.mockRestore()
  expect(await waiting()).toBe(0)
  expect(await reported('one')).toEqual([1])
  await requireSoundLog()
})

test('an event that names a party twice is in the feed of the party once, whichever way it took', async () => {
  const parties = ['pty_one', 'pty_other', 'pty_one']
  await raise('shared', { parties })
  await whileHeadIsHeld(async () => void (await raise('shared', { parties })))
  await requireSoundLog()
  const rows = await bank.rows(
    'select p.party_id, e.sequence from kernel.event_party p join kernel.event e using (position) ' +
      "where e.subject = 'counter/shared' order by e.sequence, p.party_id",
  )
  expect(rows).toEqual(
    [1, 2].flatMap((sequence) =>
      ['pty_one', 'pty_other'].map((party_id) => ({ party_id, sequence })),
    ),
  )
})

test('a repeated key in a group appends nothing, and the other commits of the group append theirs', async () => {
  await Promise.all(Array.from({ length: 9 }, (_, at) => raise(`keyed-${at}`, { key: `k${at}` })))
  const commits = vi.spyOn(bank.bank.commits, 'commitAlone')
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, at) => raise(`keyed-${at}`, { key: `k${at}` })),
  )
  expect(results).toEqual(results.map(() => 1))
  expect(commits).not.toHaveBeenCalled()
  commits.mockRestore()
  for (let at = 0; at < 30; at++) expect(await reported(`keyed-${at}`)).toEqual([1])
  await requireSoundLog()
})

test('commits leave their events in the outbox while the end of the log is locked', async () => {
  await raise('held')
  await whileHeadIsHeld(async () => {
    await Promise.all([raise('held'), raise('held-too'), raise('held', { on: other })])
    expect(await reported('held')).toEqual([1])
    expect(await waiting()).toBe(3)
  })
  expect(await raise('held')).toBe(4)
  expect(await reported('held')).toEqual([1, 2, 3, 4])
  await requireSoundLog()
})

test('events of one subject stay in order across processes and both ways into the log', async () => {
  const counters = ['a', 'b', 'c']
  let isHolding = true
  const holding = (async () => {
    while (isHolding) {
      await whileHeadIsHeld(() => new Promise((resolve) => setTimeout(resolve, 150)))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const raised = { a: 0, b: 0, c: 0 } as Record<string, number>
  const writer = async (on: Bank, at: number) => {
    for (let turn = 0; turn < 25; turn++) {
      const counter = counters[(turn + at) % 3]!
      // Losing six times to others is no failure of the log.
      await raise(counter, { on }).then(
        () => raised[counter]!++,
        (error: { code?: string }) => expect(error.code).toBe('VERSION_CONFLICT'),
      )
    }
  }
  await Promise.all([0, 1, 2, 3].map((at) => writer(at % 2 ? bank.bank : other, at)))
  isHolding = false
  await holding
  await eventually(async () => (await waiting()) === 0)
  for (const counter of counters) {
    const expected = Array.from({ length: raised[counter]! }, (_, at) => at + 1)
    expect(expected.length).toBeGreaterThan(5)
    expect(await reported(counter)).toEqual(expected)
  }
  await requireSoundLog()
})

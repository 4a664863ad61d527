/** The heartbeat: one query a second that finds what became due and what other processes changed. */
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Heartbeat } from '../../kernel/database/heartbeat.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { bankContext, startWorkers, type Worker } from '../../kernel/work/worker.ts'
import { command } from '../../kernel/writing/command.ts'
import { subgraphs } from '../../subgraphs/index.ts'
import { eventually } from '../kit/eventually.ts'
import { aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'
import { payments } from '../../subgraphs/payments/index.ts'

declareEvents({ 'tests.chore.arose': 'A chore has arisen.' })

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await bank.bank.events.start()
  await bank.rows('create table kernel.chore (due_at timestamptz, is_open boolean)')
})
afterAll(() => bank.drop())

const workers = subgraphs.flatMap((subgraph) => subgraph.workers)

test.each(workers.flatMap(({ name, isDueSql }) => (isDueSql ? [{ name, isDueSql }] : [])))(
  '$name has a condition that PostgreSQL evaluates to true or false',
  async ({ isDueSql }) => {
    const sql = `select $1::timestamptz, (${isDueSql}) as due`
    const [row] = await bank.rows(sql, [new Date()])
    expect(typeof row!['due']).toBe('boolean')
  },
)

const chore = (change: Partial<Worker>): Worker => ({
  name: 'tests.chore',
  purpose: 'Is tried.',
  everyMs: 3_600_000,
  isDueSql: 'exists (select from kernel.chore where is_open and due_at <= now())',
  run: () => Promise.resolve(0),
  ...change,
})

test('starts a worker within its interval when its work becomes due', async () => {
  let passes = 0
  const { stop } = startWorkers(bank.bank, [
    chore({
      async run() {
        passes++
        await bank.rows('update kernel.chore set is_open = false where due_at <= now()')
        return 0
      },
    }),
  ])
  await eventually(() => passes === 1)
  const dueAt = new Date(Date.now() + 1500)
  await bank.rows('insert into kernel.chore values ($1, true)', [dueAt])
  await eventually(() => passes === 2, 10_000)
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt.getTime())
  await stop()
})

test('lets due work accumulate for as long as the worker says', async () => {
  const startedAt: number[] = []
  const { stop } = startWorkers(bank.bank, [
    chore({
      duePauseMs: 3000,
      run() {
        startedAt.push(performance.now())
        return Promise.resolve(0)
      },
    }),
  ])
  await bank.rows('insert into kernel.chore values (now(), true)')
  await eventually(() => startedAt.length === 2, 10_000)
  await stop()
  await bank.rows('delete from kernel.chore')
  expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(3000)
  expect(startedAt[1]! - startedAt[0]!).toBeLessThan(6000)
})

test('rests after a long pass for as long as the share of the worker demands', async () => {
  const passes: { from: number; to: number }[] = []
  const { stop } = startWorkers(bank.bank, [
    chore({
      everyMs: 10,
      maxShare: 0.2,
      isDueSql: 'select true',
      wakeOn: ['tests.chore.*'],
      async run() {
        const from = performance.now()
        await new Promise((resolve) => setTimeout(resolve, 500))
        passes.push({ from, to: performance.now() })
        return 0
      },
    }),
  ])
  await eventually(() => passes.length === 2, 10_000)
  await stop()
  const [first, second] = passes as [(typeof passes)[0], (typeof passes)[0]]
  expect(second.from - first.to).toBeGreaterThanOrEqual(4 * (first.to - first.from) - 5)
})

test.each([
  { case: 'an event of a worker that wakes at once', wakesAtOnce: true as const, isFailing: false },
  { case: 'the interval after a failed pass', wakesAtOnce: undefined, isFailing: true },
])('a rest ends early: $case', async ({ wakesAtOnce, isFailing }) => {
  const passes: number[] = []
  const { log } = bank.bank
  bank.bank.log = pino({ level: 'silent' })
  const event = {
    type: 'tests.chore.arose',
    subject: `chore/${isFailing}`,
    version: 1,
    data: {},
    parties: [],
  }
  const { stop } = startWorkers(bank.bank, [
    chore({
      everyMs: 1000,
      maxShare: 0.02,
      wakeOn: ['tests.chore.*'],
      ...(wakesAtOnce && { wakesAtOnce }),
      async run() {
        await new Promise((resolve) => setTimeout(resolve, 300))
        passes.push(performance.now())
        if (isFailing) throw new Error('The chore cannot be done.')
        return 0
      },
    }),
  ])
  await eventually(() => passes.length === 1)
  if (!isFailing) {
    await command(bankContext(bank.bank), 'arise', null, () =>
      Promise.resolve({ result: null, events: [event] }),
    )
  }
  // The share demands a rest of 14.7 seconds.
  await eventually(() => passes.length === 2, 5000)
  await stop()
  bank.bank.log = log
})

test('does not repeat failed work every second', async () => {
  await bank.rows('insert into kernel.chore values (now(), true)')
  let passes = 0
  const { log } = bank.bank
  bank.bank.log = pino({ level: 'silent' })
  const { stop } = startWorkers(bank.bank, [
    chore({
      run() {
        passes++
        return Promise.reject(new Error('The chore cannot be done.'))
      },
    }),
  ])
  await new Promise((resolve) => setTimeout(resolve, 3500))
  expect(passes).toBe(1)
  await eventually(() => passes === 2, 10_000)
  await stop()
  bank.bank.log = log
})

test('queries nothing while nothing is watched, and goes on after a failure', async () => {
  const texts: string[] = []
  let fails = false
  const query = (statement: { text: string; values: unknown[] }) => {
    texts.push(statement.text)
    return fails ? Promise.reject(new Error('gone')) : bank.bank.pool.query(statement)
  }
  const heartbeat = new Heartbeat({ query } as never, pino({ level: 'silent' }), () => new Date())
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(texts).toEqual([])
  const values: unknown[] = []
  fails = true
  const endWatch = heartbeat.watch('select 42', (value) => values.push(value))
  await eventually(() => texts.length > 0)
  expect(values).toEqual([])
  fails = false
  await eventually(() => values.length > 0)
  expect(values[0]).toBe(42)
  endWatch()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const count = texts.length
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(texts.length).toBe(count)
  await heartbeat.stop()
})

test('an expression that fails affects no other watch', async () => {
  const heartbeat = new Heartbeat(bank.bank.pool, pino({ level: 'silent' }), () => new Date())
  const values: unknown[] = []
  const endWatches = [
    heartbeat.watch('select 1 from kernel.nowhere', () => values.push('never')),
    heartbeat.watch('select 42', (value) => values.push(value)),
  ]
  await eventually(() => values.length > 0)
  expect(new Set(values)).toEqual(new Set([42]))
  for (const endWatch of endWatches) endWatch()
  await heartbeat.stop()
})

test('sends the same statement whether workers wait or run', async () => {
  const { heartbeat } = bank.bank
  const watched: string[] = []
  const watch = heartbeat.watch.bind(heartbeat)
  heartbeat.watch = (sql, onValue) => {
    watched.push(sql)
    return watch(sql, onValue)
  }
  let passes = 0
  const isDueSql = 'select true'
  const run = () => Promise.resolve(void passes++).then(() => 0)
  const { stop } = startWorkers(bank.bank, [chore({ isDueSql, run })])
  await eventually(() => passes > 2, 10_000)
  expect(watched).toEqual([isDueSql])
  await stop()
  heartbeat.watch = watch
})

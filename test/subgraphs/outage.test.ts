import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bank } from '../../kernel/environment/bank.ts'
import { bankContext, processEach, startWorkers, type Worker } from '../../kernel/work/worker.ts'
import { products } from '../../subgraphs/products/index.ts'
import { eventually } from '../kit/eventually.ts'
import { aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'

let sub: RunningSubgraph
let lines: string[] = []
let isAway = false
beforeAll(async () => {
  sub = await aSubgraph(products)
  const line = (level: string) => (_: unknown, text?: string) =>
    void lines.push(`${level}: ${text ?? String(_)}`)
  const { bank } = sub
  bank.log = {
    error: line('error'),
    warn: line('warn'),
    info: line('info'),
  } as unknown as Bank['log']
  const query = bank.pool.query.bind(bank.pool) as (...args: unknown[]) => unknown
  bank.pool.query = ((...args: unknown[]) =>
    isAway && args[0] === 'select 1' ? Promise.reject(lost()) : query(...args)) as never
})
afterAll(() => sub.drop())

const lost = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const broken = () => new Error('A bug.')

/** Workers that poll quickly, and how often each ran. */
function polling(...works: (() => Promise<number>)[]) {
  const runs = works.map(() => 0)
  const workers = works.map((work, at): Worker => ({
    name: `tests.poll-${at}`,
    purpose: 'Polls.',
    everyMs: 5,
    run: () => {
      runs[at]!++
      return work()
    },
  }))
  return { runs, ...startWorkers(sub.bank, workers) }
}
const polledAgain = async (runs: number[], times = 5) => {
  const before = [...runs]
  await eventually(() => runs.every((run, at) => run >= before[at]! + times))
}

test('logs a lost connection when it is lost and when it is back, not at every poll', async () => {
  lines = []
  const onDatabase = () => (isAway ? Promise.reject(lost()) : Promise.resolve(0))
  const { runs, stop } = polling(onDatabase, onDatabase, () => Promise.resolve(0))
  for (let outage = 0; outage < 2; outage++) {
    await polledAgain(runs)
    isAway = true
    await polledAgain(runs)
    isAway = false
    await eventually(() => lines.length === 2 * (outage + 1))
  }
  await stop()
  expect(lines).toEqual(
    [1, 2].flatMap(() => [
      'warn: the database is unreachable; background work is paused until it is reachable again',
      'info: the database is reachable again',
    ]),
  )
})

test('logs every other failure as an error', async () => {
  lines = []
  const { runs, stop } = polling(() => Promise.reject(broken()))
  await polledAgain(runs, 3)
  await stop()
  expect(lines.length).toBeGreaterThanOrEqual(3)
  expect(new Set(lines)).toEqual(new Set(['error: a batch of a worker failed']))
})

test('logs a lost connection once per batch, and a statement timeout as an error of its item', async () => {
  lines = []
  const context = bankContext(sub.bank)
  isAway = true
  await expect(processEach(context, [1, 2, 3], () => Promise.reject(lost()))).rejects.toThrow(
    'ECONNREFUSED',
  )
  expect(lines).toEqual([
    'warn: the database is unreachable; background work is paused until it is reachable again',
  ])
  isAway = false
  const slow = Object.assign(new Error('canceling statement'), { code: '57014' })
  const one = (item: number) => (item === 2 ? Promise.reject(slow) : Promise.resolve(1))
  expect(await processEach(context, [1, 2, 3], one)).toBe(2)
  expect(lines.slice(1)).toEqual(['error: an item of a batch failed'])
})

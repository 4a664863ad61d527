import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../../subgraphs/operations/index.ts'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

let area: RunningSubgraph
beforeAll(async () => {
  area = await aSubgraph(operations)
})
afterAll(() => area.drop())

const remember = (key: string, daysAgo: number, isKept: boolean) =>
  area.rows(
    `insert into kernel.idempotency (owner, operation, key, fingerprint, answer, created_at, is_kept)
     values ('o', 'op', $1, 'f', '{}', now() - make_interval(days => $2), $3)`,
    [key, daysAgo, isKept],
  )

test('keys are forgotten after 30 days; those that are kept never are', async () => {
  await remember('young', 29, false)
  await remember('old', 31, false)
  await remember('old-money', 400, true)
  const forget = operations.workers.find(({ name }) => name === 'operations.forget-keys')!
  expect(await forget.run(bankContext(area.bank))).toBe(1)
  expect(await forget.run(bankContext(area.bank))).toBe(0)
  const left = await area.rows('select key from kernel.idempotency order by key')
  expect(left.map(({ key }) => key)).toEqual(['old-money', 'young'])
})

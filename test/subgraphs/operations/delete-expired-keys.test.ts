import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../../subgraphs/operations/index.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

let area: RunningSubgraph
beforeAll(async () => {
  area = await aSubgraph(operations)
})
afterAll(() => area.drop())

const cache = (key: string, daysAgo: number, isRetained: boolean) =>
  area.rows(
    `insert into kernel.idempotency (owner, operation, key, fingerprint, answer, created_at, is_retained)
     values ('o', 'op', $1, 'f', '{}', now() - make_interval(days => $2), $3)`,
    [key, daysAgo, isRetained],
  )

test('deletes idempotency keys after 30 days, except those that are retained', async () => {
  await cache('young', 29, false)
  await cache('old', 31, false)
  await cache('old-money', 400, true)
  const remove = operations.workers.find(({ name }) => name === 'operations.delete-expired-keys')!
  expect(await remove.run(bankContext(area.bank))).toBe(1)
  expect(await remove.run(bankContext(area.bank))).toBe(0)
  const left = await area.rows('select key from kernel.idempotency order by key')
  expect(left.map(({ key }) => key)).toEqual(['old-money', 'young'])
})

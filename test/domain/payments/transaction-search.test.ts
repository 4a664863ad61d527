import { expect, test } from 'vitest'
import type { Context } from '../../../kernel/environment/context.ts'
import { listTransactions } from '../../../subgraphs/payments/store/transaction.ts'

const filter = {
  from: null,
  to: null,
  minAmountMinor: null,
  maxAmountMinor: null,
  statuses: null,
  side: null,
  text: 'rare',
}

/** An account with transactions of encrypted names, of which none contains the text. */
function anAccount(count: number) {
  const pages: number[] = []
  const query = ({ values }: { values: unknown[] }) => {
    const [before, take] = [Number(values[2]), Number(values.at(-1))]
    pages.push(take)
    const first = Math.min(count, before - 1)
    const rows = Array.from({ length: Math.min(take, first) }, (_, at) => ({
      sequence: String(first - at),
      name: 'Common',
      isFound: false,
    }))
    return Promise.resolve({ rows })
  }
  const contextFor = (deadlineMs: number) =>
    ({
      bank: { pool: { query } },
      envelope: { deadlineMs },
      isAbandoned: () => false,
    }) as unknown as Context
  return { pages, contextFor }
}

test('a search in encrypted names reads large pages after the first one', async () => {
  const { pages, contextFor } = anAccount(500)
  const context = contextFor(Date.now() + 60_000)
  expect(await listTransactions(context, 'arr_1', filter, undefined, 2)).toEqual([])
  expect(pages).toEqual([2, 200, 200, 200])
})

test('a search in encrypted names ends when the caller no longer waits', async () => {
  const { pages, contextFor } = anAccount(500)
  const search = listTransactions(contextFor(Date.now() - 1), 'arr_1', filter, undefined, 2)
  await expect(search).rejects.toMatchObject({ code: 'TIMEOUT' })
  expect(pages).toEqual([2])
})

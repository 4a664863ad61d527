/** The balances that the posting batcher keeps after a collision with another process. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PipelinedConnection } from '../../../kernel/database/pipelined-connection.ts'
import { command } from '../../../kernel/writing/command.ts'
import { decideBooking } from '../../../ledger/book.ts'
import { checkLedger } from '../../../ledger/check.ts'
import { readBalanceAmounts } from '../../../ledger/entries.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, contextOf, pay, post } from '../payments/kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterAll(() => bank.drop())

/** Books on an account as another process does, which the batcher of this process does not notice. */
async function bookElsewhere(accountId: string, amountMinor: bigint) {
  const context = contextOf(bank.another())
  await command(context, 'drawdown', { accountId }, async () => {
    const instruction = {
      ...termsAt(bank.bank.now()),
      type: 'inbound-hard-settlement' as const,
      accountId,
      contraId: 'settlement/EUR',
      money: { amountMinor, currency: 'EUR' },
    }
    const postings = [{ instruction, narrative: noNarrative }]
    const { writes, events } = await decideBooking(context, postings)
    return { result: null, writes, events }
  })
}

test('a collision on one account does not remove the others from the cache', async () => {
  await anAccount(bank, 'arr_busy')
  await anAccount(bank, 'arr_quiet')
  for (const id of ['arr_busy', 'arr_quiet']) await post(bank, pay(id, '1.00'))
  await bookElsewhere('arr_busy', 50n)
  const collided = vi.spyOn(PipelinedConnection.prototype, 'query')
  await post(bank, pay('arr_busy', '1.00'))
  expect(collided.mock.calls.some(([query]) => (query as { text: string }).text === 'begin')).toBe(
    true,
  )
  // Sixteen groups after a collision are posted on locked balances.
  for (let count = 0; count < 16; count++) await post(bank, pay('arr_busy', '1.00'))
  collided.mockClear()
  await post(bank, pay('arr_quiet', '1.00'))
  const read = collided.mock.calls.filter(([query]) => JSON.stringify(query).includes('arr_quiet'))
  collided.mockRestore()
  expect(read).toEqual([])
  const balances = await readBalanceAmounts(bank.bank.pool, ['arr_busy', 'arr_quiet'])
  expect(balances.get('arr_busy')!.committedMinor).toBe(1850n)
  expect(balances.get('arr_quiet')!.committedMinor).toBe(200n)
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})

test('locked mode ends, although a balance that another process changed is only read', async () => {
  const [busy, poor] = ['arr_locked', 'arr_poor']
  for (const id of [busy, poor]) {
    await anAccount(bank, id)
    await post(bank, pay(id, '1.00'))
    await bookElsewhere(id, 50n)
  }
  await post(bank, pay(busy, '1.00'))
  // Rejected, so that the balance is read and not changed. The first one extends locked mode.
  const unaffordable = { ...pay(poor, '1000.00'), direction: 'OUT' }
  for (let count = 0; count < 17; count++) await post(bank, unaffordable)
  const queries = vi.spyOn(PipelinedConnection.prototype, 'query')
  await post(bank, unaffordable)
  const texts = queries.mock.calls.map(([query]) => (query as { text: string }).text)
  queries.mockRestore()
  expect(texts).not.toContain('begin')
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})

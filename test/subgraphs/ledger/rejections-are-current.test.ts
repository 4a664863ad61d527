import { afterAll, beforeAll, expect, test } from 'vitest'
import { command } from '../../../kernel/writing/command.ts'
import { decideBooking, changeGuard } from '../../../ledger/book.ts'
import type { Balance } from '../../../ledger/domain/balance.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, contextOf, eur, pay, post } from '../payments/kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterAll(() => bank.drop())

const out = (arrangementId: string, amount: string) => ({
  arrangementId,
  direction: 'OUT',
  amount: eur(amount),
})

/** Changes the guard of an account as its own area does, bypassing the batcher. */
async function guard(id: string, changes: Partial<Balance>) {
  const context = contextOf(bank)
  await command(context, 'guard', { id, serial: Math.random() }, async () => ({
    result: null,
    writes: [changeGuard(await readHeldBalance(context, id), changes)],
  }))
}

/** Books money in as a loan's drawdown does, bypassing the batcher. */
async function bookIn(accountId: string, amountMinor: bigint) {
  const context = contextOf(bank)
  await command(context, 'drawdown', { accountId }, async () => {
    const instruction = {
      ...termsAt(bank.bank.now()),
      type: 'inbound-hard-settlement' as const,
      accountId,
      contraId: 'settlement/EUR',
      money: { amountMinor, currency: 'EUR' },
    }
    const narrative = noNarrative
    const { writes, events } = await decideBooking(context, [{ instruction, narrative }])
    return { result: null, writes, events }
  })
}

// The batcher caches balances between postings; what others have changed meanwhile must count nevertheless.
test.each<[string, (id: string) => Promise<void>]>([
  ['a higher limit', (id) => guard(id, { overdraftLimitMinor: 1_000n })],
  ['a drawdown', (id) => bookIn(id, 1_000n)],
])('accepts a posting that %s has made possible', async (what, change) => {
  const id = `arr_${what.replaceAll(' ', '-')}`
  await anAccount(bank, id)
  expect((await post(bank, pay(id, '1.00'))).code).toBe(undefined)
  await change(id)
  expect((await post(bank, out(id, '5.00'))).code).toBe(undefined)
})

test('accepts postings as soon as a block is lifted, also long after the last collision', async () => {
  await anAccount(bank, 'arr_ada')
  await post(bank, pay('arr_ada', '1.00'))
  await guard('arr_ada', { blockedFor: 'all' })
  for (let at = 0; at < 40; at++) {
    expect((await post(bank, pay('arr_ada', '1.00'))).code).toBe('ARRANGEMENT_BLOCKED')
  }
  await guard('arr_ada', { blockedFor: null })
  expect((await post(bank, pay('arr_ada', '1.00'))).code).toBe(undefined)
})

test('accepts a batch that a higher limit has made possible', async () => {
  await anAccount(bank, 'arr_grace')
  await anAccount(bank, 'arr_rich')
  await post(bank, { instructions: [pay('arr_grace', '1.00'), pay('arr_rich', '9.00')] })
  await guard('arr_grace', { overdraftLimitMinor: 1_000n })
  const both = { instructions: [out('arr_rich', '1.00'), out('arr_grace', '5.00')] }
  expect((await post(bank, both)).code).toBe(undefined)
})

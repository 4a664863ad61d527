import { afterAll, beforeAll, expect, test } from 'vitest'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, pay, post } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_ada')
  await anAccount(bank, 'arr_grace')
})
afterAll(() => bank.drop())

test('books a payment and a transfer, rejects what exceeds the balance, and replays repeated keys', async () => {
  const paid = await post(bank, pay('arr_ada', '100.00'))
  expect(paid.data.createPostingInstruction).toMatchObject({
    status: 'ACCEPTED',
    type: 'INBOUND_HARD_SETTLEMENT',
    entries: [
      { account: 'settlement/EUR', side: 'DEBIT', balanceAfter: null },
      { account: 'arr_ada', side: 'CREDIT', balanceAfter: '100.00', sequence: 1 },
    ],
  })
  const transfer = {
    debtorArrangementId: 'arr_ada',
    creditorArrangementId: 'arr_grace',
    amount: eur('60.00'),
  }
  const updated = await post(bank, transfer, { idempotencyKey: 'once' })
  expect(updated.data.createPostingInstruction.balances).toMatchObject([
    { arrangementId: 'arr_ada', committed: '40.00', available: '40.00', version: 2 },
    { arrangementId: 'arr_grace', committed: '60.00', available: '60.00', version: 1 },
  ])
  const again = await post(bank, transfer, { idempotencyKey: 'once' })
  expect(again.data).toEqual(updated.data)
  expect(again.isReplayed).toBe(true)
  const refused = await post(bank, transfer, { idempotencyKey: 'twice' })
  expect(refused.code).toBe('INSUFFICIENT_FUNDS')
  const refusedAgain = await post(bank, transfer, { idempotencyKey: 'twice' })
  expect(refusedAgain.errors).toEqual(refused.errors)
  expect(refusedAgain.isReplayed).toBe(true)
  expect((await bank.events()).map(({ type }) => type)).toEqual([
    'payments.posting-instruction.accepted',
    'payments.posting-instruction.accepted',
    'payments.posting-instruction.rejected',
  ])
})

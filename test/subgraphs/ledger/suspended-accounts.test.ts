/** An account that a check found inconsistent takes no postings until it has been corrected. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payments } from '../../../subgraphs/payments/index.ts'
import { expireAuthorizations } from '../../../subgraphs/payments/workers/ledger.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, contextOf, eur, pay, post } from '../payments/kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterAll(() => bank.drop())

const suspend = (accountId: string, isSuspended: boolean) =>
  bank.rows(
    'update ledger.balance set is_suspended = $2, stamp = gen_random_uuid() where account_id = $1',
    [accountId, isSuspended],
  )

test('rejects every posting to a suspended account, even an advice', async () => {
  await anAccount(bank, 'arr_odd')
  expect((await post(bank, pay('arr_odd', '5.00'))).code).toBe(undefined)
  await suspend('arr_odd', true)
  expect((await post(bank, pay('arr_odd', '5.00'))).code).toBe('ACCOUNT_SUSPENDED')
  const advice = { arrangementId: 'arr_odd', direction: 'OUT', amount: eur('1.00'), advice: true }
  expect((await post(bank, advice)).code).toBe('ACCOUNT_SUSPENDED')
  await suspend('arr_odd', false)
  expect((await post(bank, pay('arr_odd', '5.00'))).code).toBe(undefined)
})

test('releases an authorization that expired during a suspension once the suspension ends', async () => {
  await anAccount(bank, 'arr_held')
  await post(bank, pay('arr_held', '5.00'))
  const authorization = {
    type: 'OUTBOUND_AUTHORIZATION',
    arrangementId: 'arr_held',
    clientTransactionId: 'card-held',
    amount: eur('5.00'),
    expiresAt: '2026-03-02T10:00:00Z',
  }
  expect((await post(bank, authorization)).code).toBe(undefined)
  await suspend('arr_held', true)
  bank.clock.advance(2 * 3_600_000)
  expect(await expireAuthorizations.run(contextOf(bank))).toBe(0)
  await suspend('arr_held', false)
  expect(await expireAuthorizations.run(contextOf(bank))).toBe(1)
  const paid = { arrangementId: 'arr_held', direction: 'OUT', amount: eur('5.00') }
  expect((await post(bank, paid)).code).toBe(undefined)
})

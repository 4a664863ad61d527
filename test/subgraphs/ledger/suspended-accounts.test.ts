/** An account that a check found inconsistent takes no postings until it has been corrected. */
import type { QueryConfig } from 'pg'
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

/** Opens an authorization that expires, and advances the clock until it has. */
async function anExpiredAuthorization(arrangementId: string) {
  await anAccount(bank, arrangementId)
  await post(bank, pay(arrangementId, '5.00'))
  const authorization = {
    type: 'OUTBOUND_AUTHORIZATION',
    arrangementId,
    clientTransactionId: `card-${arrangementId}`,
    amount: eur('5.00'),
    expiresAt: new Date(contextOf(bank).now().getTime() + 3_600_000).toISOString(),
  }
  expect((await post(bank, authorization)).code).toBe(undefined)
  bank.clock.advance(2 * 3_600_000)
}

const spend = (arrangementId: string) =>
  post(bank, { arrangementId, direction: 'OUT', amount: eur('5.00') })

test('releases an authorization that expired during a suspension once the suspension ends', async () => {
  await anExpiredAuthorization('arr_held')
  await suspend('arr_held', true)
  expect(await expireAuthorizations.run(contextOf(bank))).toBe(0)
  await suspend('arr_held', false)
  expect(await expireAuthorizations.run(contextOf(bank))).toBe(1)
  expect((await spend('arr_held')).code).toBe(undefined)
})

/** A context in which the account is suspended after the first read. */
function suspendedAfterRead(accountId: string) {
  const { pool } = bank.bank
  let isRead = false
  const query = async (request: QueryConfig) => {
    const rows = await pool.query(request)
    if (!isRead) await suspend(accountId, true)
    isRead = true
    return rows
  }
  const interruptedPool = new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  })
  return contextOf({ bank: { ...bank.bank, pool: interruptedPool } })
}

test('releases an authorization whose release was rejected by a suspension', async () => {
  await anExpiredAuthorization('arr_raced')
  expect(await expireAuthorizations.run(suspendedAfterRead('arr_raced'))).toBe(0)
  await suspend('arr_raced', false)
  expect(await expireAuthorizations.run(contextOf(bank))).toBe(1)
  expect(await expireAuthorizations.run(contextOf(bank))).toBe(0)
  expect((await spend('arr_raced')).code).toBe(undefined)
})

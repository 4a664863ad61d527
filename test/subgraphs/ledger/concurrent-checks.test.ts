/** Two processes check the books at the same time. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { invariants } from '../../../ledger/check.ts'
import { recordFindings } from '../../../ledger/findings.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, contextOf } from '../payments/kit.ts'

const planted = invariants as Record<string, string>
const damage =
  "select 'arr_odd' as subject, array['arr_odd'] as \"accountIds\", 'planted' as detail"

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_odd')
})
beforeEach(async () => {
  delete planted['planted']
  await recordFindings(contextOf(bank))
})
afterAll(async () => {
  delete planted['planted']
  await bank.drop()
})

/** Counts the checks until a test ends, and runs `meanwhile` after the first one has read the books. */
function afterFirstCheck(meanwhile: () => Promise<unknown>) {
  const { pool } = bank.bank
  const connect = pool.connect.bind(pool) as (callback?: never) => Promise<pg.PoolClient>
  const checks = { count: 0 }
  pool.connect = (async (callback?: never) => {
    // The pool itself connects with a callback, for single queries.
    if (callback) return connect(callback)
    const client = await connect()
    if (++checks.count > 1) return client
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    client.query = (async (...args: unknown[]) => {
      const result = await query(...args)
      if (args[0] !== 'commit') return result
      client.query = query as never
      await meanwhile()
      return result
    }) as never
    return client
  }) as never
  return { checks, restore: () => void (pool.connect = connect as never) }
}

const isSuspended = async () => {
  const rows = await bank.rows(
    "select is_suspended from ledger.balance where account_id = 'arr_odd'",
  )
  return rows.map((row) => row['is_suspended'])
}
const raised = async () =>
  (await bank.events()).filter(({ type }) => type === 'payments.ledger-finding.raised').length

test('a finding that another process raised during a check is not raised again', async () => {
  planted['planted'] = damage
  const before = await raised()
  const { checks, restore } = afterFirstCheck(() => recordFindings(contextOf(bank)))
  expect(await recordFindings(contextOf(bank))).toBe(1)
  restore()
  expect(await raised()).toBe(before + 1)
  // The books were read once by each process, and not again because of the other.
  expect(checks.count).toBe(2)
})

test('damage that another process found during a check stays suspended', async () => {
  const { restore } = afterFirstCheck(() => {
    planted['planted'] = damage
    return recordFindings(contextOf(bank))
  })
  expect(await recordFindings(contextOf(bank))).toBe(1)
  restore()
  expect(await isSuspended()).toEqual([true])
  delete planted['planted']
  expect(await recordFindings(contextOf(bank))).toBe(0)
  expect(await isSuspended()).toEqual([false])
})

test('a finding that another process resolved during a check is not raised again', async () => {
  planted['planted'] = damage
  expect(await recordFindings(contextOf(bank))).toBe(1)
  const before = await raised()
  const { restore } = afterFirstCheck(() => {
    delete planted['planted']
    return recordFindings(contextOf(bank))
  })
  expect(await recordFindings(contextOf(bank))).toBe(0)
  restore()
  expect(await raised()).toBe(before)
  expect(await isSuspended()).toEqual([false])
})

/** A request that waits too long for a lock is rejected with what it waited for: its own key, or a record. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBankWithMoney, findings, inside, standing, transfer } from '../payments/payments-kit.ts'
import { pay, post } from '../payments/kit.ts'
import type { Answer, RunningSubgraph } from '../../kit/subgraph.ts'

let bank: RunningSubgraph
let other: pg.Client
beforeAll(async () => {
  bank = await aBankWithMoney()
  other = new pg.Client({ connectionString: bank.bank.pool.options.connectionString })
  await other.connect()
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await other.end()
  await bank.drop()
})

/** Runs a request while another session holds locks; returns its outcome and its duration. */
async function whileHeld(sql: string, values: unknown[], act: () => Promise<Answer>) {
  await other.query('begin')
  await other.query(sql, values)
  const since = performance.now()
  try {
    const { code, errors } = await act()
    const { retryable, retryAfterSeconds } = (errors[0]?.extensions ?? {}) as Record<
      string,
      unknown
    >
    return { code, retryable, retryAfterSeconds, ms: performance.now() - since }
  } finally {
    await other.query('rollback')
  }
}

const balanceLock = "select 1 from ledger.balance where account_id = 'arr_ada' for update"
const busy = { code: 'RESOURCE_BUSY', retryable: true, retryAfterSeconds: 1 }
/** The deadline of a request; the error must arrive before it. */
const deadlineMs = 10_000

const requests: [string, (key?: string) => Promise<Answer>][] = [
  ['a transfer', (idempotencyKey) => transfer(bank, inside(), { idempotencyKey })],
  ['a posting', (idempotencyKey) => post(bank, pay('arr_ada', '1.00'), { idempotencyKey })],
]

test.each(requests)(
  'returns RESOURCE_BUSY when %s waits too long for an account, with or without a key',
  async (_what, send) => {
    for (const key of [undefined, `busy-${_what}`]) {
      const before = await standing(bank, 'arr_ada')
      const { ms, ...answer } = await whileHeld(balanceLock, [], () => send(key))
      expect(answer).toEqual(busy)
      expect(ms).toBeLessThan(deadlineMs)
      expect(await standing(bank, 'arr_ada')).toEqual(before)
      // The key is still free: the same request then takes effect, once.
      expect((await send(key)).code).toBeUndefined()
      expect(await standing(bank, 'arr_ada')).not.toEqual(before)
    }
  },
  60_000,
)

test.each(requests)(
  'returns IDEMPOTENCY_IN_PROGRESS when %s waits too long for the first use of its key',
  async (what, send) => {
    await send(`first-${what}`)
    const key = `second-${what}`
    const claim = `insert into kernel.idempotency
    select (jsonb_populate_record(claim, jsonb_build_object('key', $1::text))).*
    from kernel.idempotency claim where key = $2`
    const { ms, ...answer } = await whileHeld(claim, [key, `first-${what}`], () => send(key))
    expect(answer).toEqual({ ...busy, code: 'IDEMPOTENCY_IN_PROGRESS' })
    expect(ms).toBeLessThan(deadlineMs)
  },
  60_000,
)

/** What a list of accounts reads for the balances and statements of its items. */
import 'reflect-metadata'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Arrangement } from '../../../subgraphs/accounts/model/arrangement.ts'
import { balanceOf, statementOf } from '../../../subgraphs/accounts/store/balance.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'

let database: FreshDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase()
  pool = new pg.Pool({ connectionString: database.url, max: 1 })
  await pool.query(entries)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** A request, and the number of queries that it has sent. */
function aRequest() {
  const sent = { queries: 0 }
  const query = (each: pg.QueryConfig) => {
    sent.queries += 1
    return pool.query(each)
  }
  const context = { bank: { pool: { query } }, envelope: {} } as unknown as Context
  return { context, sent }
}

const accounts = [0, 1, 2, 3].map(
  (n) => ({ arrangementId: `arr_${n}`, currency: 'EUR' }) as Arrangement,
)
const [account] = accounts

test.each([
  ['by value date', { valueDate: '2026-01-03' }, ['0.00', '3.00', '6.00', '0.00']],
  ['by another value date', { valueDate: '2026-01-05' }, ['0.00', '5.00', '10.00', '0.00']],
  ['as booked', { asOf: new Date('2026-01-06T12:00:00Z') }, ['0.00', '5.00', '10.00', '0.00']],
] as const)('the balances of several accounts %s are read together', async (_, at, expected) => {
  const { context, sent } = aRequest()
  const found = await Promise.all(accounts.map((each) => balanceOf(context, each, at)))
  expect(found.map(({ committed }) => committed)).toEqual(expected)
  expect(found.map(({ arrangementId }) => arrangementId)).toEqual(
    accounts.map(({ arrangementId }) => arrangementId),
  )
  expect(sent.queries).toBe(1)
})

test('balances of one request at different days do not mix', async () => {
  const { context, sent } = aRequest()
  const days = ['2026-01-01', '2026-01-02', '2026-01-09']
  const found = await Promise.all(
    days.flatMap((valueDate) =>
      accounts.slice(1, 3).map((each) => balanceOf(context, each, { valueDate })),
    ),
  )
  const committed = found.map((each) => each.committed)
  expect(committed).toEqual(['1.00', '2.00', '2.00', '4.00', '9.00', '18.00'])
  expect(sent.queries).toBe(3)
})

test('a request can have ten statements, and the eleventh is not read', async () => {
  const { context, sent } = aRequest()
  const read = (on: Context) => statementOf(on, account!, '2026-01-01', '2026-01-31')
  await Promise.all(Array.from({ length: 10 }, () => read({ ...context })))
  const queriesOfTen = sent.queries
  await expect(read({ ...context })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: 'A request can have at most 10 account statements. Send several requests.',
  })
  expect(sent.queries).toBe(queriesOfTen)
  expect((await read(aRequest().context)).closingBalance).toBe('0.00')
})

/** Nine entries of 1.00 and of 2.00, each booked the day after its value date; the other accounts have none. */
const entries = `
  set session_replication_role = replica;
  insert into ledger.account select 'arr_' || a, 'customer', 'arr_' || a, 'pty_' || a, 'liability', 'credit', 'EUR', 'guarded'
    from generate_series(0, 3) a;
  insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount,
      currency, booked_at, value_date, committed_after, pending_in_after, pending_out_after, available_after)
    select 'arr_' || a, 'default', n, 'pin_' || a || '_' || n, 0, 'committed', 'credit', 100 * a, 'EUR',
      '2026-01-01'::timestamptz + n * interval '1 day', '2025-12-31'::date + n, 100 * a * n, 0, 0, 100 * a * n
    from generate_series(1, 2) a, generate_series(1, 9) n;
  insert into ledger.balance (account_id, address, committed_debit, committed_credit, pending_in_debit,
      pending_in_credit, pending_out_debit, pending_out_credit, overdraft_limit, is_closed, entry_count, stamp,
      is_suspended, last_sequence, last_booked_at)
    select a.account_id, 'default', 0, coalesce(sum(e.amount), 0), 0, 0, 0, 0, 0, false, count(e), gen_random_uuid(),
      false, count(e), max(e.booked_at)
    from ledger.account a left join ledger.entry e using (account_id) group by a.account_id;
  set session_replication_role = origin`

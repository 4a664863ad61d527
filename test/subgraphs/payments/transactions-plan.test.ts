import pg from 'pg'
import { expect, test } from 'vitest'
import { ofAccountsSql, transactionsSql } from '../../../subgraphs/payments/store/transaction.ts'
import { freshDatabase } from '../../kit/database.ts'

test('reads a page of an account backward by its index, without a sequential scan', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(manyEntries)
    const none = Array.from({ length: 7 }, () => null)
    const plan = async (max: string, filter: unknown[], accounts: string | string[] = 'arr_7') => {
      const values = [accounts, 'default', max, ...filter, 51]
      const sql = typeof accounts === 'string' ? transactionsSql : ofAccountsSql
      const text = `explain (analyze, format json) ${sql}`
      const { rows } = await client.query<{ 'QUERY PLAN': object[] }>(text, values)
      return JSON.stringify(rows[0]!['QUERY PLAN'])
    }
    const newest = await plan(String(Number.MAX_SAFE_INTEGER), none)
    const searched = await plan('900', [
      '2026-01-01',
      '2026-12-31',
      '1',
      '9999',
      ['booked'],
      'debit',
      '%rent%',
    ])
    const ofTwo = await plan(String(Number.MAX_SAFE_INTEGER), none, ['arr_7', 'arr_8'])
    for (const each of [newest, searched, ofTwo]) {
      expect(each).not.toContain('"Seq Scan"')
      expect(each).not.toContain('"Sort Key":["e.sequence')
    }
    // The first page stops after its 51 transactions, and does not read the 1,000 entries of the account.
    for (const each of [newest, ofTwo]) {
      const read = /"Index Name":"entry_pkey"[^{}]*?"Actual Rows":([\d.]+)/.exec(each)
      expect(Number(read![1])).toBeLessThan(60)
    }
  } finally {
    await client.end()
    await database.drop()
  }
})

/** Tables large enough for an index: 100 accounts with 1,000 entries each, bypassing the guards of the ledger. */
const manyEntries = `
  set session_replication_role = replica;
  insert into ledger.account select 'arr_' || a, 'customer', 'arr_' || a, 'pty_' || a, 'liability', 'credit', 'EUR', 'guarded'
    from generate_series(1, 5000) a;
  insert into ledger.authorization select 'shop', 'card_' || a, 'arr_' || a, 'settlement-cards/EUR', 'out', 'EUR',
      100, 100, 0, 0, 0, 'settled', null, '2026-01-01', 'pin_x_' || a, '00000000-0000-0000-0000-000000000000'
    from generate_series(1, 5000) a;
  insert into payments.payment (payment_id, direction, rail, state, party_id, amount_minor, currency, execution_date,
      content_hash, version, created_at, updated_at)
    select 'pay_' || a, 'out', 'internal', 'settled', 'pty_' || a, 100, 'EUR', '2026-01-01', '', 1, '2026-01-01', '2026-01-01'
    from generate_series(1, 5000) a;
  insert into ledger.balance (account_id, address, committed_debit, committed_credit, pending_in_debit,
      pending_in_credit, pending_out_debit, pending_out_credit, overdraft_limit, is_closed, entry_count, stamp,
      is_suspended, last_sequence)
    select 'arr_' || a, 'default', 0, 0, 0, 0, 0, 0, 0, false, 1000, '00000000-0000-0000-0000-000000000000', false, 1000
    from generate_series(1, 100) a;
  insert into ledger.posting_instruction (posting_instruction_id, ordinal, type, status, client_id, booked_at, value_date, details)
    select 'pin_' || a || '_' || n, 0, 'outbound-hard-settlement', 'accepted', 'shop',
      '2026-01-01'::timestamptz + n * interval '1 hour', '2026-01-01', '{}'
    from generate_series(1, 100) a, generate_series(1, 1000) n;
  insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount, currency, booked_at, value_date)
    select 'arr_' || a, 'default', n, 'pin_' || a || '_' || n, 0, 'committed', 'debit', 100, 'EUR',
      '2026-01-01'::timestamptz + n * interval '1 hour', '2026-01-01'
    from generate_series(1, 100) a, generate_series(1, 1000) n;
  analyze ledger.account; analyze ledger.entry; analyze ledger.posting_instruction;
  analyze ledger.authorization; analyze payments.payment;`

/** The lists of postings and authorizations read what they return, not the journal of the whole bank. */
import 'reflect-metadata'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  listAuthorizations,
  listPostings,
  type PostingFilter,
} from '../../../subgraphs/payments/store/posting.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'

let database: FreshDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase()
  pool = new pg.Pool({ connectionString: database.url, max: 1 })
  await pool.query(manyPostings)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const none: PostingFilter = { arrangementId: null, batchId: null, clientTransactionId: null }

interface Statement {
  text: string
  values: (string | number | null)[]
}

/** Runs a list for a party, and returns what it read and its statements. */
async function run<Found>(partyId: string | null, list: (context: Context) => Promise<Found>) {
  const statements: Statement[] = []
  const query = ({ text, values }: Statement) => {
    statements.push({ text, values })
    return pool.query({ text, values })
  }
  const context = { bank: { pool: { query } }, caller: { partyId } } as unknown as Context
  return { found: await list(context), statements }
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/**
 * Returns the largest number of rows that one node read, with a plan for these values and with one for
 * any values, or Infinity for a scan of a table.
 */
async function rowsRead({ text, values }: Statement): Promise<number> {
  const explain = 'explain (analyze, format json)'
  const given = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(String(value))))
  await pool.query(`set plan_cache_mode = 'force_generic_plan'; prepare list as ${text}`)
  const forAny = await pool.query(`${explain} execute list(${given.join(', ')})`)
  await pool.query("deallocate list; set plan_cache_mode = 'auto'")
  const forThese = await pool.query(`${explain} ${text}`, values)
  const readBy = (node: PlanNode): number => {
    const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    const own = node['Node Type'] === 'Seq Scan' ? Infinity : each * node['Actual Loops']
    return Math.max(own, ...(node.Plans ?? []).map(readBy))
  }
  const plans = [forAny, forThese].map(({ rows }) => rows[0]['QUERY PLAN'][0].Plan)
  return Math.max(...plans.map(readBy))
}

const theList = ({ text }: { text: string }) =>
  /order by (p\.)?posting_instruction_id limit/.test(text)

/** The list as it is defined, without regard to what it reads. */
async function expectedIds(filter: PostingFilter, partyId: string | null, after: string) {
  const sql = `select p.posting_instruction_id as id from ledger.posting_instruction p
    where p.posting_instruction_id > $1 and ($2::text is null or p.batch_id = $2)
      and ($3::text is null or p.client_transaction_id = $3)
      and ($4::text is null or exists (select from ledger.entry e where e.account_id = $4
        and e.posting_instruction_id = p.posting_instruction_id))
      and ($5::text is null or exists (select from ledger.entry e join ledger.account a using (account_id)
        where a.party_id = $5 and e.posting_instruction_id = p.posting_instruction_id))
    order by p.posting_instruction_id limit 21`
  const { batchId, clientTransactionId, arrangementId } = filter
  const values = [after, batchId, clientTransactionId, arrangementId, partyId]
  return (await pool.query<{ id: string }>(sql, values)).rows.map(({ id }) => id)
}

const ofEach = (party: string) =>
  [
    ['an account', { ...none, arrangementId: 'arr_7' }, null],
    ['an internal account', { ...none, arrangementId: 'settlement/EUR' }, null],
    ['an account without postings', { ...none, arrangementId: 'arr_none' }, null],
    ['a batch', { ...none, batchId: 'pib_3' }, null],
    ['a client transaction', { ...none, clientTransactionId: 'order_42' }, null],
    [
      'a client transaction and an account',
      { ...none, clientTransactionId: 'order_42', arrangementId: 'arr_7' },
      null,
    ],
    [
      'a client transaction and a batch',
      { ...none, clientTransactionId: 'order_42', batchId: 'pib_3' },
      null,
    ],
    ['a batch and an account', { ...none, batchId: 'pib_3', arrangementId: 'arr_7' }, null],
    ['a party', none, party],
    ['an account of the party', { ...none, arrangementId: 'arr_7' }, party],
    ['an account of another party', { ...none, arrangementId: 'arr_8' }, party],
    ['an internal account and a party', { ...none, arrangementId: 'settlement/EUR' }, party],
    ['a batch and a party', { ...none, batchId: 'pib_3' }, party],
    ['a client transaction and a party', { ...none, clientTransactionId: 'order_42' }, party],
    [
      'all filters',
      { arrangementId: 'arr_7', batchId: 'pib_3', clientTransactionId: 'order_42' },
      party,
    ],
    ['nothing', none, null],
  ] as const

describe.each(ofEach('pty_2'))('the postings of %s', (_, filter, partyId) => {
  test('are those that match, page by page', async () => {
    for (let after = '', pages = 0; pages < 4; pages++) {
      const { found } = await run(partyId, (context) => listPostings(context, filter, after, 21))
      const ids = found.map(({ postingInstructionId }) => postingInstructionId)
      expect(ids).toEqual(await expectedIds(filter, partyId, after))
      after = ids[19] ?? 'pin_20000'
    }
  })

  test('are found without walking the journal', async () => {
    for (const after of ['', 'pin_20000', 'pin_39900']) {
      const { statements } = await run(partyId, (context) =>
        listPostings(context, filter, after, 21),
      )
      const list = statements.find(theList)!
      expect(await rowsRead(list)).toBeLessThan(2000)
    }
  })
})

test('a party with more postings than are read for a page gets the same pages', async () => {
  await pool.query(
    "update ledger.account set party_id = 'pty_shop' where account_id = 'settlement/EUR'",
  )
  for (const filter of [none, { ...none, arrangementId: 'settlement/EUR' }]) {
    for (const after of ['', 'pin_39990']) {
      const { found, statements } = await run('pty_shop', (context) =>
        listPostings(context, filter, after, 21),
      )
      const ids = found.map(({ postingInstructionId }) => postingInstructionId)
      expect(ids).toEqual(await expectedIds(filter, 'pty_shop', after))
      expect(await rowsRead(statements.find(theList)!)).toBeLessThan(2000)
    }
  }
})

describe.each([true, false])('the authorizations of an account, open only: %s', (isOpenOnly) => {
  test('are those that match, page by page, without those of other accounts', async () => {
    const { rows: expected } = await pool.query<{ id: string }>(
      `select client_transaction_id as id from ledger.authorization
       where account_id = 'arr_7' and (not $1 or open > 0) order by opened_at, client_transaction_id`,
      [isOpenOnly],
    )
    expect(expected).toHaveLength(isOpenOnly ? 10 : 100)
    const ids: string[] = []
    for (let after: string[] | null = null; ;) {
      const { found, statements } = await run('pty_2', (context) =>
        listAuthorizations(context, 'arr_7', isOpenOnly, after, 30),
      )
      expect(await rowsRead(statements[0]!)).toBeLessThan(200)
      ids.push(...found.map(({ clientTransactionId }) => clientTransactionId))
      if (found.length < 30) break
      const last = found.at(-1)!
      after = [last.openedAt.toISOString(), last.clientTransactionId]
    }
    expect(ids).toEqual(expected.map(({ id }) => id))
  })

  test('are hidden from another party', async () => {
    const { found } = await run('pty_3', (context) =>
      listAuthorizations(context, 'arr_7', isOpenOnly, null, 30),
    )
    expect(found).toEqual([])
  })
})

/**
 * 40,000 postings between an internal account and 200 accounts, of which each party has three, bypassing
 * the guards of the ledger. Half of the authorizations were opened at the same time as the one before.
 */
const manyPostings = `
  set session_replication_role = replica;
  insert into ledger.account select 'arr_' || a, 'customer', 'arr_' || a, 'pty_' || a / 3, 'liability', 'credit', 'EUR', 'guarded'
    from generate_series(0, 199) a;
  insert into ledger.account select 'settlement/EUR', 'settlement', null, null, 'asset', 'debit', 'EUR', 'deferred';
  insert into ledger.posting_instruction (posting_instruction_id, batch_id, ordinal, type, status, client_id,
      client_transaction_id, booked_at, value_date, details)
    select 'pin_' || lpad(n::text, 5, '0'), case when n % 7 = 0 then 'pib_' || n / 200 end, n % 200,
      'custom', 'accepted', 'client_' || n % 5, case when n % 3 = 0 then 'order_' || n % 1000 end,
      '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-01', '{}'
    from generate_series(0, 39999) n;
  insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount, currency, booked_at, value_date)
    select case side when 'debit' then 'settlement/EUR' else 'arr_' || n % 200 end, 'default',
      case side when 'debit' then n + 1 else n / 200 + 1 end, 'pin_' || lpad(n::text, 5, '0'),
      case side when 'debit' then 1 else 2 end, 'committed', side, 100, 'EUR',
      '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-01'
    from generate_series(0, 39999) n, unnest(array['debit', 'credit']) side where n % 11 > 0;
  insert into ledger.balance (account_id, address, committed_debit, committed_credit, pending_in_debit,
      pending_in_credit, pending_out_debit, pending_out_credit, overdraft_limit, is_closed, entry_count, stamp,
      is_suspended, last_sequence)
    select account_id, 'default', 0, 0, 0, 0, 0, 0, 0, false, count(*), gen_random_uuid(), false, count(*)
    from ledger.entry group by account_id;
  insert into ledger.authorization select 'shop', 'card_' || n, 'arr_' || n % 200, 'settlement-cards/EUR', 'out', 'EUR',
      100, 100 - open, 0, open, 0, case open when 0 then 'settled' else 'open' end, null,
      '2026-01-01'::timestamptz + n / 400 * interval '1 hour', 'pin_x_' || n, gen_random_uuid()
    from generate_series(0, 19999) n, lateral (select case n / 200 % 10 when 0 then 50 else 0 end as open) o;
  set session_replication_role = origin;
  analyze ledger.account; analyze ledger.entry; analyze ledger.posting_instruction;
  analyze ledger.authorization;`

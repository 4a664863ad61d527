/** A page of entries costs what it has, wherever it is in the month and however rare its account is. */
import 'reflect-metadata'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../../kernel/environment/context.ts'
import {
  entriesStatement,
  entrySortKey,
  readDatedEntries,
  type EntryFilter,
} from '../../../subgraphs/general-ledger/store/entries.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'
import { random } from '../../kit/random.ts'

let database: FreshDatabase
let client: pg.Client
let context: Context
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(manyPostings)
  context = { bank: { pool: client } } as unknown as Context
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const postings = 6000
/** Postings of March in two currencies, 200 a day, and an account that one in a thousand concerns. */
const manyPostings = `
  set session_replication_role = replica;
  insert into ledger.account
    select 'arr_' || a, 'customer', 'arr_' || a, 'pty_' || a, 'liability', 'credit', 'EUR', 'guarded'
    from generate_series(1, 500) a
    union all
    select code || '/EUR' || third, code, null, null, 'asset', 'debit', 'EUR', 'deferred'
    from (values ('nostro', ''), ('fee-income', ''), ('loan-losses', ''), ('fee-payable', ''),
      ('fee-payable', '/notary')) c (code, third);
  insert into kernel.fact (subject, version, data)
    select 'arrangement/arr_' || a, 1, json_build_object('productId', 'prd_' || a % 3)
    from generate_series(1, 500) a;
  create temp table posted as
    select n, 'pin_' || lpad(n::text, 5, '0') as id, '2026-03-01'::date + (n - 1) / 200 as day,
      case n % 5 when 0 then 'USD' else 'EUR' end as currency
    from generate_series(1, ${postings}) n;
  insert into general_ledger.dated_posting select id, day, n * 3, false from posted;
  insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase, side, amount,
      currency, booked_at, value_date)
    select case when n % 2 = 0 then 'nostro/EUR' else 'arr_' || n % 500 + 1 end, 'default', n, id, 0,
      case when n % 11 = 0 then 'pending-out' else 'committed' end, 'debit', n, currency, day, day from posted
    union all
    select case when n % 1000 = 700 then 'loan-losses/EUR' when n % 7 = 0 then 'fee-income/EUR'
        when n % 13 = 0 then 'fee-payable/EUR' when n % 17 = 0 then 'fee-payable/EUR/notary'
        else 'arr_' || n * 7 % 500 + 1 end, 'default', ${postings} + n, id, 1,
      case when n % 11 = 0 then 'pending-out' else 'committed' end, 'credit', n, currency, day, day from posted;
  insert into ledger.balance (account_id, address, committed_debit, committed_credit, pending_in_debit,
      pending_in_credit, pending_out_debit, pending_out_credit, overdraft_limit, is_closed, entry_count, stamp,
      is_suspended, last_sequence)
    select account_id, 'default', 0, 0, 0, 0, 0, 0, 0, false, count(*), '00000000-0000-0000-0000-000000000000',
      false, max(sequence) from ledger.entry group by 1;
  analyze;`

const march: EntryFilter = {
  from: '2026-03-01',
  to: '2026-03-31',
  keys: null,
  currency: null,
  days: null,
}
const keyOf = (ledgerCode: string, productId = '', currency = 'EUR') => ({
  ledgerCode,
  productId,
  currency,
})
const losses: EntryFilter = { ...march, keys: [keyOf('loan-losses')] }
/** The place after a posting. */
const placeAfter = (n: number) => [
  new Date(Date.UTC(2026, 2, 1 + Math.floor((n - 1) / 200))).toISOString().slice(0, 10),
  `${n * 3}`,
  '1',
]

const allSql = `select e.posting_instruction_id as id, e.ordinal, d.accounting_date::text as day, e.currency, a.code,
    general_ledger.product_of(a.account_id, a.code) as product
  from general_ledger.dated_posting d join ledger.entry e using (posting_instruction_id)
  join ledger.account a using (account_id) where e.phase = 'committed'
  order by d.accounting_date, d.position, e.ordinal`

test('pages have the entries that the filter names, in their order', async () => {
  const { rows: all } = await client.query(allSql)
  const draw = random(41)
  const filters: Partial<EntryFilter>[] = [
    {},
    { currency: 'USD' },
    { from: '2026-03-05', to: '2026-03-09' },
    { days: ['2026-03-02', '2026-03-20'], currency: 'EUR' },
    { keys: [] },
    { keys: [keyOf('loan-losses')] },
    { keys: [keyOf('fee-income'), keyOf('nostro')], to: '2026-03-11' },
    { keys: [keyOf('fee-payable')], days: ['2026-03-03', '2026-03-04'] },
    { keys: [keyOf('customer', 'prd_1'), keyOf('nostro')], from: '2026-03-20' },
    { keys: [keyOf('customer', 'prd_1'), keyOf('customer', 'prd_2')], currency: 'EUR' },
  ]
  for (const each of filters) {
    const filter = { ...march, ...each }
    const { from, to, keys, currency, days } = filter
    const expected = all.filter(
      (row) =>
        row.day >= from &&
        row.day <= to &&
        (days === null || days.includes(row.day)) &&
        (currency === null || row.currency === currency) &&
        (keys === null ||
          keys.some((key) => key.ledgerCode === row.code && key.productId === row.product)),
    )
    const found: string[] = []
    for (let after: string[] | null = null; ;) {
      const take = 1 + Math.floor(draw() * 2500)
      const page = await readDatedEntries(context, filter, after, take)
      found.push(...page.map((entry) => `${entry.postingInstructionId} ${entry.ordinal}`))
      if (page.length < take) break
      after = entrySortKey(page.at(-1)!)
    }
    expect(found).toEqual(expected.map(({ id, ordinal }) => `${id} ${ordinal}`))
  }
})

/** Runs a statement, and returns how many rows it read from each table. */
async function rowsRead(filter: EntryFilter, after: string[] | null, isByAccount: boolean) {
  const { text, values } = entriesStatement(filter, { after, take: 51 }, isByAccount)
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
  const read = new Map<string, number>()
  const visit = (node: any) => {
    const table: string | undefined = node['Relation Name']
    if (table) {
      expect(node['Node Type'], table).not.toBe('Seq Scan')
      const perLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
      read.set(table, (read.get(table) ?? 0) + perLoop * node['Actual Loops'])
    }
    for (const part of node.Plans ?? []) visit(part)
  }
  visit(rows[0]['QUERY PLAN'][0].Plan)
  return read
}

test('a page begins with its first posting, also at the end of a month', async () => {
  for (const n of [10, 3000, 5900]) {
    const read = await rowsRead(march, placeAfter(n), false)
    expect(read.get('dated_posting')).toBeLessThan(60)
    expect(read.get('entry')).toBeLessThan(120)
  }
})

test('a rare account is read by its entries, and a known account by the days on which it was booked', async () => {
  const rare = await rowsRead(losses, null, true)
  expect(rare.get('entry')).toBeLessThan(10)
  expect(rare.get('dated_posting')).toBeLessThan(10)
  const days = await rowsRead({ ...losses, days: ['2026-03-04', '2026-03-09'] }, null, false)
  expect(days.get('dated_posting')).toBe(400)

  const texts: string[] = []
  const query = client.query.bind(client) as (config: { text: string }) => Promise<unknown>
  const pool = {
    query: (config: { text: string }) => {
      texts.push(config.text)
      return query(config)
    },
  }
  const spied = { bank: { pool } } as unknown as Context
  await readDatedEntries(spied, losses, null, 51)
  expect(texts.at(-1)).toMatch(/from \(select \* from ledger\.entry/)
  await client.query(
    `update ledger.balance set entry_count = 20001 where account_id = 'loan-losses/EUR'`,
  )
  await readDatedEntries(spied, losses, null, 51)
  expect(texts.at(-1)).toMatch(/from \(select \* from general_ledger\.dated_posting/)
})

/** Constraints on balances and entries that the database enforces at commit, whoever writes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger } from '../../../ledger/check.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, pay, post } from '../payments/kit.ts'
import { aBusyDay, aggregateAll } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await aBusyDay(bank, 'day')
  await aggregateAll(bank)
})
afterAll(() => bank.drop())

const refused = { code: 'BG005' }
const newStamp = 'stamp = gen_random_uuid()'
const totals = ['committed', 'pending_in', 'pending_out'].flatMap((phase) => [
  `${phase}_debit`,
  `${phase}_credit`,
])

describe.each(['arr_day-ada', 'settlement/EUR'])('balance of %s', (accountId) => {
  test.each([...totals, 'entry_count'])(
    'rejects a change of %s without entries',
    async (column) => {
      for (const by of [1, -1, 1000]) {
        const sql = `update ledger.balance set ${column} = ${column} + ${by}, ${newStamp} where account_id = $1`
        // A check constraint rejects values below zero first.
        await expect(bank.rows(sql, [accountId])).rejects.toMatchObject({
          code: expect.stringMatching(/^(BG005|23514)$/) as string,
        })
      }
    },
  )

  test('rejects a change that keeps the stamp', async () => {
    const sql =
      'update ledger.balance set overdraft_limit = overdraft_limit + 1 where account_id = $1'
    await expect(bank.rows(sql, [accountId])).rejects.toMatchObject(refused)
  })

  test('rejects a deletion', async () => {
    const sql = 'delete from ledger.balance where account_id = $1'
    await expect(bank.rows(sql, [accountId])).rejects.toMatchObject({ code: 'BG003' })
  })
})

const entry = (account: string, sequence: number | string, side: string, after: string) =>
  `('${account}', 'default', ${sequence}, 'pin_forged', 1, 'committed', '${side}', 5, 'EUR', now(), now(), ${after})`

test('rejects a skipped sequence number on a guarded account', async () => {
  const sql = `update ledger.balance set last_sequence = last_sequence + 1, ${newStamp} where account_id = 'arr_day-ada'`
  await expect(bank.rows(sql)).rejects.toMatchObject(refused)
})

test.each([
  ['right after the last one', 'select last_sequence + 1 as at'],
  ['far after the last one', 'select last_sequence + 100 as at'],
])('rejects entries that no balance includes, numbered %s', async (_, sql) => {
  const [row] = await bank.rows(`${sql} from ledger.balance where account_id = 'arr_day-ada'`)
  const rows = [
    entry('arr_day-ada', row!['at'], 'credit', '0, 0, 0, 0'),
    entry(
      'settlement/EUR',
      `nextval('ledger.deferred_sequence')`,
      'debit',
      'null, null, null, null',
    ),
  ]
  const insert = bank.rows(`insert into ledger.entry values ${rows.join(', ')}`)
  await expect(insert).rejects.toMatchObject(refused)
})

test('rejects an entry of an accumulating account whose number was already aggregated', async () => {
  const rows = [
    entry('settlement/EUR', 1_000_001, 'credit', 'null, null, null, null'),
    entry('settlement/EUR', -1, 'debit', 'null, null, null, null'),
  ]
  const insert = bank.rows(`insert into ledger.entry values ${rows.join(', ')}`)
  await expect(insert).rejects.toMatchObject(refused)
})

test.each([
  ['the total', `committed_credit = committed_credit + 4`, '', 4],
  ['the running balance', `committed_credit = committed_credit + 5`, ' + 1', 5],
])('rejects an entry that disagrees with its balance in %s', async (_, change, off) => {
  const [row] = await bank.rows(
    `select last_sequence + 1 as at, committed_credit - committed_debit + 5 as after,
      committed_credit - committed_debit + 5 - (pending_out_debit - pending_out_credit) as available,
      pending_in_credit - pending_in_debit as coming, pending_out_debit - pending_out_credit as going
      from ledger.balance where account_id = 'arr_day-ada'`,
  )
  const { at, after, available, coming, going } = row!
  const sql = `with moved as (update ledger.balance set ${change}, entry_count = entry_count + 1,
      last_sequence = last_sequence + 1, ${newStamp} where account_id = 'arr_day-ada')
    insert into ledger.entry values
      ${entry('arr_day-ada', at, 'credit', `${after}${off}, ${coming}, ${going}, ${available}${off}`)},
      ${entry('settlement/EUR', `nextval('ledger.deferred_sequence')`, 'debit', 'null, null, null, null')}`
  await expect(bank.rows(sql)).rejects.toMatchObject(refused)
})

test('rejects a new balance that is not zero', async () => {
  await anAccount(bank, 'arr_empty')
  const sql = `insert into ledger.balance select account_id, 'savings', 0, 7, 0, 0, 0, 0, 0, null, false, 0, null
    from ledger.balance where account_id = 'arr_empty'`
  await expect(bank.rows(sql)).rejects.toMatchObject(refused)
})

test('waits with the aggregation until a transaction that took a sequence number has ended', async () => {
  await anAccount(bank, 'arr_slow')
  const upTo = async () =>
    Number((await bank.rows('select up_to from ledger.aggregation'))[0]!['up_to'])
  const client = await bank.bank.pool.connect()
  try {
    // No newer transaction commits, so that this one remains the newest of all.
    await client.query('begin')
    await client.query('select pg_current_xact_id()')
    const { rows } = await client.query<{ number: string }>(
      `select nextval('ledger.deferred_sequence') as number`,
    )
    const number = Number(rows[0]!.number)
    for (let at = 0; at < 5; at++) {
      await bank.rows('select ledger.aggregate_accumulating()')
      expect(await upTo()).toBeLessThan(number)
    }
    await post(bank, pay('arr_slow', '1.00'))
    for (let at = 0; at < 5; at++) await bank.rows('select ledger.aggregate_accumulating()')
    expect(await upTo()).toBeLessThan(number)
  } finally {
    await client.query('commit')
    client.release()
  }
  await aggregateAll(bank)
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})

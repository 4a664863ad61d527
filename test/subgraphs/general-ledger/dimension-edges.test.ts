/** Products that have only a result, days without entries, and totals that two jobs add to at once. */
import 'reflect-metadata'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import {
  readAttributedDays,
  readUnassignedDays,
} from '../../../subgraphs/general-ledger/store/attribution.ts'
import { readBook, sequenceCommitted } from '../../../subgraphs/general-ledger/store/book.ts'
import { eventually } from '../../kit/eventually.ts'
import { anInterestBank, newId, post, start, type InterestBank } from '../interest/kit.ts'
import { aCurrentProduct } from '../interest/overdraft-kit.ts'
import { aCustomerOf, balanceSheets, date, expectSums } from './dimension-kit.ts'

const day = '2026-01-01'
let bank: InterestBank
let productId = ''
const accountIds: string[] = []

beforeAll(async () => {
  bank = await anInterestBank()
  bank.clock.set(start)
  productId = await aCurrentProduct(bank)
  for (const segment of ['retail', 'private', 'corporate', 'public']) {
    const arrangementId = newId('arr')
    await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "${arrangementId}",
      customerId: "${await aCustomerOf(bank, segment)}", productId: "${productId}" }) { state } }`)
    await post(bank, arrangementId, 'IN', '10.00')
    await charge(arrangementId, '2.00')
    accountIds.push(arrangementId)
  }
  await date(bank)
}, 120_000)
afterAll(() => bank.drop())

const charge = (arrangementId: string, amount: string) =>
  bank.act(`mutation { createPostingInstruction(input: { type: CUSTOM, entries: [
    { account: "${arrangementId}", side: DEBIT, amount: "${amount}" },
    { account: "fee-income/EUR", side: CREDIT, amount: "${amount}" }] }) { status } }`)

test('only days with entries of an account are searched', async () => {
  const context = bankContext(bank.bank)
  const range = { from: day, to: '2026-01-31', ledgerCodes: ['fee-income'], currency: 'EUR' }
  expect(await readAttributedDays(context, range, productId, 'retail')).toEqual([day])
  expect(await readAttributedDays(context, range, null, 'retail')).toEqual([day])
  expect(await readAttributedDays(context, range, 'prd_unknown', 'retail')).toEqual([])
  expect(await readUnassignedDays(context, range, 'product')).toEqual([])
  const transit = { ...range, ledgerCodes: null }
  expect(await readUnassignedDays(context, transit, 'segment')).toEqual([day])
  const dollars = { ...transit, currency: 'USD' }
  expect(await readUnassignedDays(context, dollars, 'segment')).toEqual([])
})

/** Runs a statement in a transaction of its own until it waits for a lock, and then `meanwhile`. */
async function whileItWaits(
  [locking, waiting]: [string, (client: pg.PoolClient) => Promise<unknown>],
  meanwhile: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const [holder, waiter] = [await bank.bank.pool.connect(), await bank.bank.pool.connect()]
  try {
    await holder.query('begin')
    await holder.query(locking)
    await waiter.query('begin')
    const { rows } = await waiter.query('select pg_backend_pid() as pid')
    const waited = waiting(waiter)
    await eventually(async () => {
      const [row] = await bank.rows(
        `select cardinality(pg_blocking_pids(${rows[0].pid})) > 0 as "isBlocked"`,
      )
      return row!['isBlocked'] === true
    })
    await meanwhile(holder)
    await holder.query('rollback')
    await waited
  } finally {
    await holder.query('rollback')
    await waiter.query('rollback')
    holder.release()
    waiter.release()
  }
}

// The waiter has locked no total behind the one for which it waits.
const key = 'accounting_date, ledger_code, product_id, segment, currency, is_year_end'
const firstTotal = `select from general_ledger.dimension_total order by ${key} limit 1 for update`
const freeTotals = `select from general_ledger.dimension_total order by ${key} for update skip locked`

test('postings are dated and history is added in one order of the totals', async () => {
  const total = (await bank.rows('select from general_ledger.dimension_total')).length
  expect(total).toBeGreaterThan(7)
  const allFree = async (client: pg.PoolClient) =>
    expect((await client.query(freeTotals)).rowCount).toBe(total)
  const history = async (client: pg.PoolClient) => {
    await client.query(`update general_ledger.dimension_reach set accounting_date = '0001-01-01',
      position = 0, is_complete = false, up_to_position = (select position from general_ledger.book)`)
    return client.query('select general_ledger.attribute_history(1000)')
  }
  await whileItWaits([firstTotal, history], allFree)

  for (const arrangementId of accountIds) await charge(arrangementId, '1.00')
  const head = await sequenceCommitted(bankContext(bank.bank))
  const { position, revision } = await readBook(bankContext(bank.bank))
  const dates = JSON.stringify([{ value_date: day, booked_on: day, accounting_date: day }])
  const dating = (client: pg.PoolClient) =>
    client.query('select general_ledger.date_postings($1, $2, $3, $4::json)', [
      position.toString(),
      head.toString(),
      revision.toString(),
      dates,
    ])
  await whileItWaits([firstTotal, dating], allFree)
})

test('a product whose customers withdrew everything still has its result', async () => {
  for (const arrangementId of accountIds) await post(bank, arrangementId, 'OUT', '7.00')
  await date(bank)
  const sheets = await balanceSheets(bank, day, 'PRODUCT')
  expect(sheets[productId]).toEqual({ result: 1200n })
  await expectSums(bank, '2026-01', [day, '2026-01-31'])
})

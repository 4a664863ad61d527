/** Every query of the ledger check finds the damage planted for it, in every column that it covers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger, invariants } from '../../../ledger/check.ts'
import { totalBookingDays } from '../../../ledger/trial-balance.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { pay, post } from '../payments/kit.ts'
import { aBusyDay, inVain, writeAllCheckpoints } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await aBusyDay(bank, 'day')
  await writeAllCheckpoints(bank)
  while ((await totalBookingDays(bank.bank.pool)) > 0);
  // A posting that waits for its checkpoint.
  expect((await post(bank, pay('arr_day-grace', '1.00'))).errors).toEqual([])
})
afterAll(() => bank.drop())

const one = `(account_id, sequence) = ('arr_day-ada', 3)`
const totals = ['committed', 'pending_in', 'pending_out'].flatMap((phase) => [
  `${phase}_debit`,
  `${phase}_credit`,
])
const posting = `select posting_instruction_id from ledger.entry where ${one}`

/** For each invariant, statements that each break it. */
const planted: Readonly<Record<keyof typeof invariants, readonly string[]>> = {
  'debits equal credits in every posting, currency and phase': [
    `update ledger.entry set amount = amount + 1 where ${one}`,
    `update ledger.entry set side = 'credit' where ${one}`,
    `update ledger.entry set phase = 'pending-in' where ${one}`,
    `update ledger.entry set currency = 'USD' where ${one}`,
    `delete from ledger.entry where ${one}`,
  ],
  'a balance is the sum of its entries': [
    ...[...totals, 'entry_count'].flatMap((column) => [
      `update ledger.balance set ${column} = ${column} + 1 where account_id = 'arr_day-ada'`,
      `update ledger.balance set ${column} = ${column} + 1 where account_id = 'settlement/EUR'`,
    ]),
    `update ledger.entry set amount = amount + 1 where posting_instruction_id in (${posting})`,
    `delete from ledger.entry where posting_instruction_id in (${posting})`,
  ],
  'entries of an account are numbered without gaps and in the order of time': [
    `delete from ledger.entry where ${one}`,
    `update ledger.entry set sequence = 99 where ${one}`,
    `update ledger.entry set booked_at = booked_at - interval '1 second' where ${one}`,
  ],
  'a running balance is the sum of the entries up to it': [
    ...['committed_after', 'pending_in_after', 'pending_out_after'].flatMap((column) => [
      `update ledger.entry set ${column} = ${column} + 1 where ${one}`,
      `update ledger.entry set ${column} = null where ${one}`,
    ]),
    `update ledger.entry set amount = amount + 1 where ${one}`,
  ],
  'no posting leaves a negative available balance, except an advice': [
    // Ada has no overdraft limit and overspends, while every running sum stays consistent.
    `update ledger.entry set committed_after = committed_after - 100000, available_after = available_after - 100000
      where account_id = 'arr_day-ada' and sequence >= 3`,
  ],
  'the pending amounts equal the open amounts of authorizations': [
    `update ledger.authorization set open = open + 1, authorized = authorized + 1 where client_transaction_id = 'day-open'`,
    `update ledger.authorization set open = open + 1, authorized = authorized + 1 where client_transaction_id = 'day-coming'`,
    `delete from ledger.authorization where client_transaction_id = 'day-coming'`,
    `update ledger.balance set pending_out_debit = pending_out_debit + 1 where account_id = 'arr_day-ada'`,
    `update ledger.balance set pending_in_credit = pending_in_credit + 1 where account_id = 'arr_day-grace'`,
  ],
  'an authorization equals its settled, released and open parts': [
    `update ledger.authorization set state = 'settled' where client_transaction_id = 'day-open'`,
    `update ledger.authorization set state = 'open' where client_transaction_id = 'day-settled'`,
    ...['authorized', 'settled', 'released', 'open'].map(
      (column) =>
        `alter table ledger.authorization drop constraint authorization_check;
        update ledger.authorization set ${column} = ${column} + 1 where client_transaction_id = 'day-open'`,
    ),
  ],
  'accepted postings have entries, rejected ones have none': [
    `delete from ledger.entry where posting_instruction_id in (${posting})`,
    `update ledger.posting_instruction set status = 'rejected' where posting_instruction_id in (${posting})`,
    `update ledger.posting_instruction set status = 'accepted' where status = 'rejected'`,
  ],
  'every posting is in a checkpoint or waiting for one': [
    `insert into ledger.posting_instruction select 'pin_forged', null, ordinal, type, status, client_id, null, null,
      booked_at, value_date, details from ledger.posting_instruction limit 1`,
    `delete from kernel.event where type = 'payments.posting-instruction.accepted'`,
  ],
  'the totals of a day are the sums of the entries booked on it': [
    `insert into ledger.booking_day_total values ('2020-01-01', 'EUR', 'customer', 'liability', 1, 1)`,
    `delete from ledger.booking_day_total where code = 'customer'`,
    `update ledger.booking_day_total set debit_minor = debit_minor + 1 where code = 'customer'`,
    `update ledger.entry set booked_at = booked_at - interval '1 day' where ${one}`,
    `update ledger.booking_day_reach set first_line = 0`,
  ],
}

const cases = Object.entries(planted).flatMap(([invariant, all]) =>
  all.map((sql) => [invariant, sql] as const),
)

test('reports no findings for consistent books, and every invariant has planted damage below', async () => {
  expect(await checkLedger(bank.bank.pool)).toEqual([])
  expect(Object.keys(planted).toSorted()).toEqual(Object.keys(invariants).toSorted())
})

describe.each(cases)('ledger invariant: %s', (invariant, sql) => {
  test(`detects ${sql}`, async () => {
    const found = await inVain(bank, async (client) => {
      await client.query(sql)
      return checkLedger(client)
    })
    expect(found.map((finding) => finding.invariant)).toContain(invariant)
  })
})

/** Every query that looks over the books finds what is planted for it, in everything it looks at. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger, invariants } from '../../../subgraphs/_ledger/check.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { aBusyDay, inVain } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await aBusyDay(bank, 'day')
})
afterAll(() => bank.drop())

const one = `(account_id, sequence) = ('arr_day-ada', 3)`
const totals = ['committed', 'pending_in', 'pending_out'].flatMap((phase) => [
  `${phase}_debit`,
  `${phase}_credit`,
])
const posting = `select posting_instruction_id from ledger.entry where ${one}`

/** By invariant, statements that break it, each by itself. */
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
  'a running balance is the sum of what came before it': [
    ...['committed_after', 'pending_in_after', 'pending_out_after'].flatMap((column) => [
      `update ledger.entry set ${column} = ${column} + 1 where ${one}`,
      `update ledger.entry set ${column} = null where ${one}`,
    ]),
    `update ledger.entry set amount = amount + 1 where ${one}`,
  ],
  'no posting left less than nothing available, unless it says that it already happened': [
    // Ada had no limit and spent what she did not have, and every sum says so.
    `update ledger.entry set committed_after = committed_after - 100000, available_after = available_after - 100000
      where account_id = 'arr_day-ada' and sequence >= 3`,
  ],
  'what is pending is what is open on the chains': [
    `update ledger.authorisation set open = open + 1, authorised = authorised + 1 where client_transaction_id = 'day-open'`,
    `update ledger.authorisation set open = open + 1, authorised = authorised + 1 where client_transaction_id = 'day-coming'`,
    `delete from ledger.authorisation where client_transaction_id = 'day-coming'`,
    `update ledger.balance set pending_out_debit = pending_out_debit + 1 where account_id = 'arr_day-ada'`,
    `update ledger.balance set pending_in_credit = pending_in_credit + 1 where account_id = 'arr_day-grace'`,
  ],
  'a chain holds what was authorised': [
    `update ledger.authorisation set state = 'settled' where client_transaction_id = 'day-open'`,
    `update ledger.authorisation set state = 'open' where client_transaction_id = 'day-settled'`,
    ...['authorised', 'settled', 'released', 'open'].map(
      (column) =>
        `alter table ledger.authorisation drop constraint authorisation_check;
        update ledger.authorisation set ${column} = ${column} + 1 where client_transaction_id = 'day-open'`,
    ),
  ],
  'what was accepted has entries, what was rejected has none': [
    `delete from ledger.entry where posting_instruction_id in (${posting})`,
    `update ledger.posting_instruction set status = 'rejected' where posting_instruction_id in (${posting})`,
    `update ledger.posting_instruction set status = 'accepted' where status = 'rejected'`,
  ],
  'every posting is sealed or on its way to it': [
    `insert into ledger.posting_instruction select 'pin_forged', null, ordinal, type, status, client_id, null, null,
      booked_at, value_date, details from ledger.posting_instruction limit 1`,
    `delete from kernel.event where type = 'payments.posting-instruction.accepted'`,
  ],
}

const cases = Object.entries(planted).flatMap(([invariant, all]) =>
  all.map((sql) => [invariant, sql] as const),
)

test('books that are sound are found so, and there is something planted for every query', async () => {
  expect(await checkLedger(bank.bank.pool)).toEqual([])
  expect(Object.keys(planted).toSorted()).toEqual(Object.keys(invariants).toSorted())
})

describe.each(cases)('%s', (invariant, sql) => {
  test(sql, async () => {
    const found = await inVain(bank, async (client) => {
      await client.query(sql)
      return checkLedger(client)
    })
    expect(found.map((finding) => finding.invariant)).toContain(invariant)
  })
})

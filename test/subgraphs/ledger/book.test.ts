import { afterAll, beforeAll, expect, test } from 'vitest'
import { command } from '../../../kernel/writing/command.ts'
import { decideBooking } from '../../../ledger/book.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, contextOf, pay, post } from '../payments/kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_ada')
  await post(bank, pay('arr_ada', '10.00'))
})
afterAll(() => bank.drop())

const charge = (amountMinor: bigint): Posting => ({
  instruction: {
    ...termsAt(new Date('2026-03-02T09:00:00Z')),
    type: 'outbound-hard-settlement',
    accountId: 'arr_ada',
    contraId: 'fee-income/EUR',
    money: { amountMinor, currency: 'EUR' },
  },
  narrative: noNarrative,
})

const count = async () =>
  (
    await bank.rows(`select (select count(*) from ledger.entry)::int as entries,
    (select count(*) from kernel.fact where subject not like 'principal/%')::int as facts`)
  )[0]

test('commits a change and its postings in one statement, or neither', async () => {
  const change = (subject: string, amounts: bigint[]) =>
    command<unknown>(contextOf(bank), 'change', { subject }, async () => {
      const { violations, writes, events, records } = await decideBooking(
        contextOf(bank),
        amounts.map(charge),
      )
      if (violations.length > 0) return { result: violations }
      return { result: records, writes, events, facts: [{ subject, data: {} }] }
    })
  const before = await count()
  expect(await change('loan/1', [300n, 300n])).toHaveLength(2)
  expect(await count()).toEqual({ entries: before!['entries'] + 4, facts: 1 })
  expect(await change('loan/2', [300n, 300n])).toMatchObject([{ code: 'INSUFFICIENT_FUNDS' }])
  expect(await count()).toEqual({ entries: before!['entries'] + 4, facts: 1 })
})

test('lets exactly one of two concurrent changes spend the last of a balance, in every round', async () => {
  for (let round = 0; round < 50; round++) {
    await post(bank, pay('arr_ada', '1.00'))
    const [{ available }] = (await bank.rows(
      `select committed_credit - committed_debit as available from ledger.balance where account_id = 'arr_ada'`,
    )) as [{ available: string }]
    const take = () =>
      command(contextOf(bank), 'take', {}, async () => {
        const booked = await decideBooking(contextOf(bank), [charge(BigInt(available))])
        return { result: booked.violations.length, writes: booked.writes, events: booked.events }
      })
    const both = await Promise.all([take(), take()])
    expect(both.toSorted()).toEqual([0, 1])
  }
})

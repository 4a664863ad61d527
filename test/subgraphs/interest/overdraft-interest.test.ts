/** What overdrafts cost, from the first day to the charge, through the whole graph. */
import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { anInterestBank, eur, post, start, type InterestBank } from './kit.ts'
import {
  accountOf,
  aCurrentAccount,
  aCurrentProduct,
  approver,
  arrange,
  nightOf,
  reconcileOverdrafts,
} from './overdraft-kit.ts'

let bank: InterestBank
let productId: string
beforeAll(async () => {
  bank = await anInterestBank()
  productId = await aCurrentProduct(bank, { noticeDays: 10 })
})
beforeEach(() => bank.clock.set(start))
afterAll(() => bank.drop())

const pay = (id: string, amount: string, valueDate?: string) =>
  post(bank, id, 'OUT', amount, valueDate)
const amounts = (nodes: any[]) => nodes.map(({ amount }) => amount.amount)

describe('Interest', () => {
  test('is arranged within the limit, unarranged beyond it, and charged each month', async () => {
    const free = { interestFreeAmount: eur('100.00') }
    const id = await aCurrentAccount(bank, await aCurrentProduct(bank, free), '1100.00')
    await pay(id, '1100.00')
    await arrange(bank, id, '600.00', { validFrom: '2026-01-21' })
    await nightOf(bank, '2026-01-21')
    // 20 days of 1,000.00 at 3.65 percent.
    expect((await accountOf(bank, id)).overdraftInterest).toMatchObject({
      accruedThrough: '2026-01-20',
      accrued: { amount: '2.00' },
      nextChargeOn: '2026-02-01',
      daysBeyondLimit: 0,
    })
    await nightOf(bank, '2026-02-01')
    // Then 11 days of 500.00 at 3.65 and 500.00 at 7.30 percent.
    const { overdraftInterest, balances } = await accountOf(bank, id)
    expect(overdraftInterest.accruals.nodes[0]).toMatchObject({
      accruedOn: '2026-01-31',
      overdrawn: { amount: '1100.00' },
      exactAmount: '0.1500000000',
      daysBeyondLimit: 11,
      isSuspended: false,
    })
    expect(overdraftInterest.charges.nodes).toMatchObject([
      {
        reason: 'CALENDAR',
        periodStart: '2026-01-01',
        periodEnd: '2026-01-31',
        effectiveOn: '2026-02-01',
        amount: { amount: '3.65' },
      },
    ])
    expect(overdraftInterest.chargedThisYear.amount).toBe('3.65')
    expect(balances[0].committed).toBe('-1103.65')
    expect(await reconcileOverdrafts(bank)).toBe(0n)
    const charged = (await bank.events()).find(
      ({ type, subject }) =>
        type === 'accounts.overdraft-interest.charged' && subject === `overdraft-interest/${id}`,
    )
    expect(charged).toMatchObject({ data: { amount: '3.65' }, parties: ['pty_ada'] })
    // Charged interest is part of the balance, here beyond the limit.
    await nightOf(bank, '2026-02-02')
    const [day] = (await accountOf(bank, id)).overdraftInterest.accruals.nodes
    expect([day.overdrawn.amount, day.exactAmount]).toEqual(['1103.65', '0.1507300000'])
  })

  test('of back-dated postings is corrected, and refunded with the next charge', async () => {
    const id = await aCurrentAccount(bank, productId, '1000.00')
    await pay(id, '1000.00')
    await nightOf(bank, '2026-02-01')
    bank.clock.set('2026-02-01T10:00:00.000Z')
    const back = await post(bank, id, 'IN', '1000.00', '2026-01-12')
    await nightOf(bank, '2026-02-02')
    const { overdraftInterest } = await accountOf(bank, id)
    expect(overdraftInterest.adjustments.nodes).toEqual([
      {
        firstDay: '2026-01-12',
        lastDay: '2026-01-31',
        causedBy: [back],
        amount: { amount: '-2.00' },
      },
    ])
    expect(overdraftInterest.accrued.amount).toBe('-2.00')
    await nightOf(bank, '2026-03-01')
    const after = await accountOf(bank, id)
    expect(amounts(after.overdraftInterest.charges.nodes)[1]).toBe('3.10')
    expect(Number(amounts(after.overdraftInterest.charges.nodes)[0])).toBeLessThan(-1.9)
    await reconcileOverdrafts(bank)
  })

  test('of an account that an advice overdraws without a limit is unarranged', async () => {
    const id = await aCurrentAccount(bank, productId)
    const input = { arrangementId: id, direction: 'OUT', amount: eur('500.00'), advice: true }
    await bank.act(
      'mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) { status } }',
      { input },
      aCaller(),
    )
    await nightOf(bank, '2026-01-11')
    const { overdraftInterest } = await accountOf(bank, id)
    expect(overdraftInterest).toMatchObject({ accrued: { amount: '1.00' }, daysBeyondLimit: 10 })
    expect(overdraftInterest.accruals.nodes[0].overdraftId).toBeNull()
  })

  test('is suspended after too many days beyond the limit, and resumes within it', async () => {
    const offer = await aCurrentProduct(bank, { suspendAfterDays: 5 })
    const id = await aCurrentAccount(bank, offer, '1000.00')
    await pay(id, '1000.00')
    await arrange(bank, id, '500.00', { validFrom: '2026-01-02' })
    await nightOf(bank, '2026-01-11')
    const suspended = (await accountOf(bank, id)).overdraftInterest
    // One day of 1,000.00 within, and five of 500.00 within and 500.00 beyond.
    expect(suspended).toMatchObject({ accrued: { amount: '0.85' }, daysBeyondLimit: 9 })
    expect(suspended.accruals.nodes.filter((day: any) => day.isSuspended)).toHaveLength(4)
    bank.clock.set('2026-01-11T09:00:00.000Z')
    await post(bank, id, 'IN', '500.00')
    await nightOf(bank, '2026-01-13')
    expect((await accountOf(bank, id)).overdraftInterest).toMatchObject({
      accrued: { amount: '0.95' },
      daysBeyondLimit: 0,
    })
  })

  test('is previewed without booking anything', async () => {
    const id = await aCurrentAccount(bank, productId, '1000.00')
    const preview = (until: string, amount: string) =>
      bank.act(`{ previewOverdraft(arrangementId: "${id}", until: "${until}",
        amount: { amount: "${amount}", currency: "EUR" }) { from overdrawn { amount } interest { amount } } }`)
    expect((await preview('2026-01-11', '1500.00')).previewOverdraft).toEqual({
      from: '2026-01-01',
      overdrawn: { amount: '1500.00' },
      interest: { amount: '2.00' },
    })
    await expect(preview('2026-01-01', '1.00')).rejects.toMatchObject({
      code: 'INVALID_DATE_RANGE',
    })
    await expect(preview('2026-01-02', '0.00')).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
  })

  test('is charged before an account is closed', async () => {
    const id = await aCurrentAccount(bank, productId, '1000.00')
    await pay(id, '1000.00')
    bank.clock.set('2026-01-11T09:00:00.000Z')
    await post(bank, id, 'IN', '1000.00')
    const act = (mutation: string) =>
      bank.act(`mutation { ${mutation}(arrangementId: "${id}") { __typename } }`, {}, approver)
    await act('requestAccountArrangementClosure')
    await expect(act('closeAccountArrangement')).rejects.toMatchObject({
      code: 'INTEREST_OUTSTANDING',
    })
    await act('chargeOverdraftInterest')
    expect((await accountOf(bank, id)).balances[0].committed).toBe('-1.00')
    await post(bank, id, 'IN', '1.00')
    await act('closeAccountArrangement')
    await nightOf(bank, '2026-02-01')
    expect((await accountOf(bank, id)).state).toBe('CLOSED')
    await reconcileOverdrafts(bank)
  })
})

/** Fees for unused limits, from the first day to the charge, through the whole graph. */
import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { anInterestBank, post, start, type InterestBank } from './kit.ts'
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
  // 3.65 percent, so that 1,000.00 of unused limit costs 0.10 a day.
  productId = await aCurrentProduct(bank, { commitmentFeePct: '3.65' })
})
beforeEach(() => bank.clock.set(start))
afterAll(() => bank.drop())

const feeOf = async (arrangementId: string, caller?: Parameters<InterestBank['act']>[2]) => {
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { commitmentFee {
      annualRatePct accruedThrough accrued { amount } nextChargeOn dueOnClosure { amount }
      accruals(first: 60) { nodes { accruedOn unused { amount } exactAmount isPaused overdraftId } }
      adjustments { nodes { firstDay lastDay causedBy amount { amount } } }
      charges { nodes { periodStart periodEnd effectiveOn amount { amount }
        postingInstruction { postingInstructionId remittanceInformation } } } } } }`,
    { id: arrangementId },
    caller,
  )
  return accountArrangement?.commitmentFee
}

test('each day costs the unused limit, and the calendar of the interest charges it', async () => {
  const id = await aCurrentAccount(bank, productId, '1000.00')
  await nightOf(bank, '2026-01-11')
  expect(await feeOf(id)).toMatchObject({
    annualRatePct: '3.65',
    accruedThrough: '2026-01-10',
    accrued: { amount: '1.00' },
    nextChargeOn: '2026-02-01',
  })
  bank.clock.set('2026-01-11T09:00:00.000Z')
  await post(bank, id, 'OUT', '600.00')
  await arrange(bank, id, '3600.00', { validFrom: '2026-01-21' })
  await nightOf(bank, '2026-02-01')
  // Ten days of 1,000.00, ten of 400.00 and eleven of 3,000.00.
  const fee = await feeOf(id)
  expect(fee.charges.nodes).toEqual([
    {
      periodStart: '2026-01-01',
      periodEnd: '2026-01-31',
      effectiveOn: '2026-02-01',
      amount: { amount: '4.70' },
      postingInstruction: {
        postingInstructionId: expect.anything(),
        remittanceInformation: 'Commitment fee 2026-01-01 to 2026-01-31',
      },
    },
  ])
  expect(fee.accruals.nodes).toHaveLength(31)
  expect(fee.accruals.nodes[0]).toMatchObject({
    unused: { amount: '3000.00' },
    exactAmount: '0.3000000000',
    isPaused: false,
  })
  const charged = (await bank.events()).find(
    ({ type, subject }) =>
      type === 'accounts.commitment-fee.charged' && subject === `commitment-fee/${id}`,
  )
  expect(charged).toMatchObject({ data: { amount: '4.70' }, parties: ['pty_ada'] })
  // Interest: 21 days of 600.00. Both charges are drawn from February 1 on.
  expect((await accountOf(bank, id)).balances[0].committed).toBe('-605.96')
  await reconcileOverdrafts(bank)
  await nightOf(bank, '2026-02-02')
  expect((await feeOf(id)).accruals.nodes[0].unused.amount).toBe('2994.04')
  await reconcileOverdrafts(bank)
})

test('nothing is due beyond the limit, while the account is blocked, and without a limit', async () => {
  const id = await aCurrentAccount(bank, productId, '1000.00')
  const without = await aCurrentAccount(bank, productId)
  await nightOf(bank, '2026-01-03')
  const block = (mutation: string) =>
    bank.act(`mutation { ${mutation} { arrangementId } }`, {}, approver)
  await block(`blockAccountArrangement(arrangementId: "${id}", kind: DEBIT, reason: "Disputed")`)
  await nightOf(bank, '2026-01-06')
  await block(`unblockAccountArrangement(arrangementId: "${id}")`)
  await nightOf(bank, '2026-01-08')
  const fee = await feeOf(id)
  expect(fee.accrued.amount).toBe('0.40')
  expect(fee.accruals.nodes.map((day: any) => day.isPaused)).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
    false,
  ])
  // A back-dated posting corrects the days that cost something, and leaves the paused ones.
  bank.clock.set('2026-01-08T09:00:00.000Z')
  await post(bank, id, 'OUT', '500.00', '2026-01-02')
  await post(bank, id, 'OUT', '500.00')
  await nightOf(bank, '2026-01-11')
  const after = await feeOf(id)
  expect(after.adjustments.nodes).toMatchObject([
    { firstDay: '2026-01-02', lastDay: '2026-01-07', amount: { amount: '-0.15' } },
  ])
  expect(after.accrued.amount).toBe('0.25')
  expect(after.accruals.nodes[0]).toMatchObject({ unused: { amount: '0.00' }, isPaused: false })
  expect((await feeOf(without)).accruals.nodes).toEqual([])
  await reconcileOverdrafts(bank)
})

test('is previewed with the interest', async () => {
  const id = await aCurrentAccount(bank, productId, '1000.00')
  const { previewOverdraft } = await bank.act(`{ previewOverdraft(arrangementId: "${id}",
    until: "2026-01-11", amount: { amount: "400.00", currency: "EUR" }) {
      interest { amount } commitmentFee { amount } } }`)
  expect(previewOverdraft).toEqual({
    interest: { amount: '0.40' },
    commitmentFee: { amount: '0.60' },
  })
})

test('a back-dated posting is corrected', async () => {
  const id = await aCurrentAccount(bank, productId, '1000.00')
  await nightOf(bank, '2026-01-11')
  bank.clock.set('2026-01-11T09:00:00.000Z')
  const back = await post(bank, id, 'OUT', '500.00', '2026-01-06')
  await nightOf(bank, '2026-01-12')
  const fee = await feeOf(id)
  expect(fee.adjustments.nodes).toEqual([
    {
      firstDay: '2026-01-06',
      lastDay: '2026-01-10',
      causedBy: [back],
      amount: { amount: '-0.25' },
    },
  ])
  expect(fee.accrued.amount).toBe('0.80')
  await reconcileOverdrafts(bank)
})

test('it is charged before an account is closed', async () => {
  const id = await aCurrentAccount(bank, productId, '1000.00')
  bank.clock.set('2026-01-11T09:00:00.000Z')
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
  expect((await feeOf(id)).accrued.amount).toBe('0.00')
  await reconcileOverdrafts(bank)
})

test('customers see the fee of their own accounts only, and products check it', async () => {
  const id = await aCurrentAccount(bank, productId, '1000.00')
  await nightOf(bank, '2026-02-01')
  const customer = (name: string) =>
    aCaller({ subject: name, partyId: `pty_${name}`, scopes: ['accounts:read', 'postings:read'] })
  expect((await feeOf(id, customer('ada'))).charges.nodes).toHaveLength(1)
  expect(await feeOf(id, customer('grace'))).toBeUndefined()
  const plain = await aCurrentAccount(bank, await aCurrentProduct(bank), '1000.00')
  expect(await feeOf(plain)).toBeNull()
  for (const commitmentFeePct of ['0', '-1', '101', '0.1234567']) {
    await expect(aCurrentProduct(bank, { commitmentFeePct })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
  }
})

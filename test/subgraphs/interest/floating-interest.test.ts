/** Interest whose rates follow a reference rate, on accounts of the whole graph. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  anAccount,
  anInterestBank,
  aProduct,
  interestOf,
  newId,
  post,
  reconcile,
  start,
  type InterestBank,
} from './kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
})
afterAll(() => bank.drop())

async function record(
  referenceRateId: string,
  fixedOn: string,
  ratePct: string,
  correctionReason: string | null = null,
) {
  await bank.act(
    `mutation ($input: RecordReferenceRateFixingsInput!) {
      recordReferenceRateFixings(input: $input) { referenceRateId } }`,
    { input: { referenceRateId, fixings: [{ fixedOn, ratePct }], correctionReason } },
  )
}

/** An account with 1,000.00 that earns the reference rate less a margin, 3.65 percent at first. */
async function fresh(floatingRate: object = {}) {
  bank.clock.set(start)
  const referenceRateId = newId('RATE')
  await bank.act(
    `mutation ($input: CreateReferenceRateInput!) { createReferenceRate(input: $input) { name } }`,
    { input: { referenceRateId, name: 'A rate' } },
  )
  await record(referenceRateId, '2025-12-31', '4.65')
  const productId = await aProduct(bank, {
    tiers: [{ annualRatePct: '-1' }],
    floatingRate: { referenceRateId, ...floatingRate },
  })
  const arrangementId = await anAccount(bank, productId)
  await bank.follow()
  return { referenceRateId, arrangementId }
}
const accruedOf = async (arrangementId: string) =>
  (await interestOf(bank, arrangementId)).accrued.amount

test('each day earns with the last fixing, and a later fixing changes no day before', async () => {
  const { referenceRateId, arrangementId } = await fresh()
  await bank.night('2026-01-11')
  expect(await accruedOf(arrangementId)).toBe('1.00')
  // 8.30 percent less the margin: twice as much a day, from the day on which it is recorded.
  await record(referenceRateId, '2026-01-05', '8.30')
  await bank.night('2026-01-16')
  expect(await accruedOf(arrangementId)).toBe('2.00')
  // A correction counts from its own day on, and so do postings before it.
  await record(referenceRateId, '2026-01-05', '1', 'Typed twice.')
  const postingId = await post(bank, arrangementId, 'IN', '1000.00', '2026-01-10')
  await bank.night('2026-01-21')
  const found = await interestOf(bank, arrangementId)
  // 2 × 1.00, and for the other 1,000.00 a day of 0.10 and five of 0.20; nothing since.
  expect(found.accrued).toEqual({ amount: '3.10' })
  expect(found.adjustments.nodes).toMatchObject([
    {
      firstDay: '2026-01-10',
      lastDay: '2026-01-15',
      causedBy: [postingId],
      amount: { amount: '1.10' },
    },
  ])
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) { interest {
      currentTiers { upTo { amount } annualRatePct } } } }`,
    { id: arrangementId },
  )
  expect(accountArrangement.interest.currentTiers).toEqual([{ upTo: null, annualRatePct: '0' }])
  await reconcile(bank)
})

test('the rate stays within its bounds', async () => {
  const { referenceRateId, arrangementId } = await fresh({
    minimumRatePct: '0.365',
    maximumRatePct: '7.3',
  })
  await record(referenceRateId, '2026-01-01', '-3')
  await bank.night('2026-01-11')
  expect(await accruedOf(arrangementId)).toBe('0.10')
  await record(referenceRateId, '2026-01-11', '50')
  await bank.night('2026-01-21')
  expect(await accruedOf(arrangementId)).toBe('2.10')
  await reconcile(bank)
})

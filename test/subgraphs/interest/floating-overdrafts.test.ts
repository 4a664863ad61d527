/** Overdrafts whose rates follow a reference rate, through the whole graph. */
import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anInterestBank, newId, post, start, type InterestBank } from './kit.ts'
import {
  accountOf,
  aCurrentAccount,
  aCurrentProduct,
  arrange,
  nightOf,
  propose,
  reconcileOverdrafts,
} from './overdraft-kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
})
beforeEach(() => bank.clock.set(start))
afterAll(() => bank.drop())

const record = (
  referenceRateId: string,
  fixings: Record<string, string>,
  correctionReason: string | null = null,
) =>
  bank.act(
    `mutation ($input: RecordReferenceRateFixingsInput!) {
      recordReferenceRateFixings(input: $input) { referenceRateId } }`,
    {
      input: {
        referenceRateId,
        fixings: Object.entries(fixings).map(([fixedOn, ratePct]) => ({ fixedOn, ratePct })),
        correctionReason,
      },
    },
  )

async function aReferenceRate(fixings: Record<string, string>, validDays?: number) {
  const referenceRateId = newId('RATE')
  await bank.act(
    'mutation ($input: CreateReferenceRateInput!) { createReferenceRate(input: $input) { name } }',
    { input: { referenceRateId, name: 'A rate', ...(validDays && { validDays }) } },
  )
  if (Object.keys(fixings).length > 0) await record(referenceRateId, fixings)
  return referenceRateId
}

/** An account that owes 1,000.00 within a limit of 1,000.00: 2.65 points over the rate, 0.10 a day. */
async function owing(referenceRateId: string, floatingRate: object = {}) {
  const margins = { annualRatePct: '2.65', unarrangedRatePct: '6.30' }
  const more = { ...margins, floatingRate: { referenceRateId, ...floatingRate } }
  const arrangementId = await aCurrentAccount(bank, await aCurrentProduct(bank, more), '1000.00')
  await post(bank, arrangementId, 'OUT', '1000.00')
  return arrangementId
}

const rates = 'annualRatePct unarrangedRatePct resetOn fixedOn fixingPct isOverdue'
const ratesOf = async (arrangementId: string) => {
  const { accountArrangement } = await bank.act(
    `query ($id: ID!) { accountArrangement(arrangementId: $id) {
      overdraft { floatingRate { referenceRateId resets lookbackDays minimumRatePct maximumRatePct } }
      overdraftInterest { currentRates { ${rates} }
        accruals(first: 60) { nodes { accruedOn exactAmount rates { ${rates} } } } } } }`,
    { id: arrangementId },
  )
  return accountArrangement
}
const accruedOf = async (arrangementId: string) =>
  (await accountOf(bank, arrangementId)).overdraftInterest.accrued.amount
const dayOf = (account: any, day: string) =>
  account.overdraftInterest.accruals.nodes.find((each: any) => each.accruedOn === day)

test('each day costs the fixing plus the margin, and shows both', async () => {
  const rate = await aReferenceRate({ '2025-12-31': '1' })
  const id = await owing(rate)
  bank.clock.set('2026-01-06T09:00:00.000Z')
  await record(rate, { '2026-01-06': '4.65' })
  await nightOf(bank, '2026-01-11')
  // Five days at 3.65 percent, and five at 7.30.
  expect(await accruedOf(id)).toBe('1.50')
  const account = await ratesOf(id)
  expect(account.overdraft.floatingRate).toEqual({
    referenceRateId: rate,
    resets: 'DAILY',
    lookbackDays: 0,
    minimumRatePct: '0',
    maximumRatePct: null,
  })
  expect(dayOf(account, '2026-01-05').rates).toEqual({
    annualRatePct: '3.65',
    unarrangedRatePct: '7.3',
    resetOn: '2026-01-05',
    fixedOn: '2025-12-31',
    fixingPct: '1',
    isOverdue: false,
  })
  expect(dayOf(account, '2026-01-06')).toMatchObject({
    exactAmount: '0.2000000000',
    rates: { annualRatePct: '7.3', unarrangedRatePct: '10.95', fixedOn: '2026-01-06' },
  })
  // What is recorded or corrected later changes no day before, also if the days are accrued again.
  bank.clock.set('2026-01-11T09:00:00.000Z')
  await record(rate, { '2026-01-02': '9', '2026-01-06': '1' }, 'A typing error')
  await post(bank, id, 'IN', '500.00', '2026-01-06')
  await nightOf(bank, '2026-01-12')
  // Five days of 1,000.00 at 3.65, five of 500.00 at 7.30, and one of 500.00 at 3.65 percent.
  expect(await accruedOf(id)).toBe('1.05')
  expect(dayOf(await ratesOf(id), '2026-01-06').rates.fixingPct).toBe('4.65')
  await reconcileOverdrafts(bank)
})

test('a reset takes the fixing of the lookback, and waits for one that is missing', async () => {
  const rate = await aReferenceRate({ '2025-12-29': '1' }, 20)
  const id = await owing(rate, { resets: 'MONTHLY', lookbackDays: 2 })
  bank.clock.set('2026-01-20T09:00:00.000Z')
  await record(rate, { '2026-01-20': '8' })
  await nightOf(bank, '2026-02-01')
  const january = await ratesOf(id)
  expect(january.overdraftInterest.accruals.nodes).toHaveLength(31)
  for (const day of january.overdraftInterest.accruals.nodes) {
    expect(day.rates).toMatchObject({ annualRatePct: '3.65', resetOn: '2026-01-01' })
  }
  await nightOf(bank, '2026-02-02')
  expect(dayOf(await ratesOf(id), '2026-02-01').rates).toMatchObject({
    annualRatePct: '10.65',
    resetOn: '2026-02-01',
    fixedOn: '2026-01-20',
    isOverdue: false,
  })
  // On March 1, the fixing of January 20 is too old: the rate stays the same until there is one.
  bank.clock.set('2026-03-05T09:00:00.000Z')
  await record(rate, { '2026-02-26': '4.65' })
  await nightOf(bank, '2026-03-08')
  const march = await ratesOf(id)
  expect(dayOf(march, '2026-03-04').rates).toMatchObject({
    annualRatePct: '10.65',
    resetOn: '2026-02-01',
    isOverdue: true,
  })
  expect(dayOf(march, '2026-03-05').rates).toMatchObject({
    annualRatePct: '7.3',
    resetOn: '2026-03-01',
    fixedOn: '2026-02-26',
    isOverdue: false,
  })
  await reconcileOverdrafts(bank)
})

test('a negative fixing stops at the floor, a high one at the cap, and previews agree', async () => {
  const rate = await aReferenceRate({ '2025-12-31': '-9' })
  const id = await owing(rate, { minimumRatePct: '3.65', maximumRatePct: '7.3' })
  const preview = async () =>
    (
      await bank.act(`{ previewOverdraft(arrangementId: "${id}", until: "2026-01-11",
        amount: { amount: "1500.00", currency: "EUR" }) { interest { amount } } }`)
    ).previewOverdraft.interest.amount
  // Ten days of 1,500.00 at 3.65 percent.
  expect(await preview()).toBe('1.50')
  await record(rate, { '2026-01-01': '50' })
  expect(await preview()).toBe('3.00')
  await nightOf(bank, '2026-01-11')
  expect(await accruedOf(id)).toBe('2.00')
})

test('an overdraft has its own margins, and can follow another rate than the product', async () => {
  const rate = await aReferenceRate({ '2025-12-31': '1' })
  const id = await owing(rate)
  await arrange(bank, id, '1000.00', { annualRatePct: '-0.5', validFrom: '2026-01-03' })
  const other = await aReferenceRate({ '2025-12-31': '2' })
  const floatingRate = { referenceRateId: other, maximumRatePct: '3' }
  await arrange(bank, id, '1000.00', { floatingRate, validFrom: '2026-01-05' })
  await nightOf(bank, '2026-01-06')
  const account = await ratesOf(id)
  const pct = (day: string) => dayOf(account, day).rates.annualRatePct
  expect(['2026-01-02', '2026-01-03', '2026-01-05'].map(pct)).toEqual(['3.65', '0.5', '3'])
  const events = await bank.events()
  const approved = events.filter(
    ({ type, data }) =>
      type === 'accounts.overdraft.approved' && (data as any).arrangementId === id,
  )
  expect(approved.map(({ data }) => (data as any).referenceRateId)).toEqual([rate, rate, other])
})

test('fixed overdrafts show their rates, and can be given a reference rate', async () => {
  const id = await aCurrentAccount(bank, await aCurrentProduct(bank), '1000.00')
  expect((await ratesOf(id)).overdraftInterest.currentRates).toEqual({
    annualRatePct: '3.65',
    unarrangedRatePct: '7.30',
    resetOn: null,
    fixedOn: null,
    fixingPct: null,
    isOverdue: false,
  })
  const refused = (input: object) => expect(propose(bank, id, '500.00', input)).rejects
  const unfixed = await aReferenceRate({})
  const margins = { annualRatePct: '1', unarrangedRatePct: '4' }
  for (const referenceRateId of [unfixed, 'no-such-rate']) {
    await refused({ ...margins, floatingRate: { referenceRateId } }).toMatchObject({
      code: 'REFERENCE_RATE_NOT_FIXED',
    })
  }
  const referenceRateId = await aReferenceRate({ '2026-01-01': '2' })
  await refused({ annualRatePct: '-1' }).toMatchObject({ code: 'VALIDATION_FAILED' })
  // The fixed rates of the product are never added to the reference rate.
  for (const name of ['annualRatePct', 'unarrangedRatePct']) {
    await refused({
      ...margins,
      [name]: null,
      floatingRate: { referenceRateId },
    }).toMatchObject({ members: { errors: [{ pointer: `/input/${name}` }] } })
  }
  for (const wrong of [
    { lookbackDays: 32 },
    { minimumRatePct: '-1' },
    { minimumRatePct: '5', maximumRatePct: '4' },
  ]) {
    await refused({ ...margins, floatingRate: { referenceRateId, ...wrong } }).toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await expect(
      aCurrentProduct(bank, { floatingRate: { referenceRateId, ...wrong } }),
    ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  await expect(
    aCurrentProduct(bank, { floatingRate: { referenceRateId: unfixed } }),
  ).rejects.toMatchObject({ code: 'REFERENCE_RATE_NOT_FIXED' })
  await arrange(bank, id, '1000.00', { ...margins, floatingRate: { referenceRateId } })
  expect((await ratesOf(id)).overdraftInterest.currentRates).toMatchObject({
    annualRatePct: '3',
    unarrangedRatePct: '6',
    fixingPct: '2',
  })
})

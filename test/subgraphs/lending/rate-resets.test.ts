import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  draw,
  eventsOf,
  facilityOf,
  findings,
  fund,
  grace,
  morningOf,
  open,
  opened,
  publish,
} from './facility-kit.ts'

let bank: RunningSubgraph
let today = '2026-03-02'
beforeAll(async () => {
  bank = await aLender(`${today}T09:00:00Z`)
})
afterAll(() => bank.drop())
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})

/** Publishes the fixings of a reference rate of its own, and a product that follows it. */
let serial = 0
async function aFloatingProduct(
  fixings: Record<string, string>,
  reset: object = {},
  validDays: number | null = null,
) {
  const referenceRate = `RATE-${++serial}`
  await fix(referenceRate, fixings, validDays)
  const terms = { frequency: 'quarterly', lookbackDays: 2, minimumRatePct: '0', ...reset }
  const interest = {
    basePct: '2',
    marginPct: '4',
    referenceRate,
    reset: { maximumRatePct: null, ...terms },
  }
  const version = { version: '1', status: 'active', parameters: [], fees: [], interest }
  await publish(bank, `product/prd_${serial}`, { versions: [version] })
  return { productId: `prd_${serial}`, referenceRate }
}

async function fix(
  referenceRate: string,
  fixings: Record<string, string>,
  validDays: number | null = null,
) {
  const published = Object.entries(fixings).map(([fixedOn, ratePct]) => ({
    fixedOn,
    ratePct,
    recordedOn: today,
  }))
  await publish(bank, `reference-rate/${referenceRate}`, { validDays, fixings: published })
}

async function morning(date: string) {
  today = date
  await morningOf(bank, date)
}

const rateFields = `currentRatePct
  floatingRate { marginPct frequency lookbackDays minimumRatePct maximumRatePct nextResetOn isOverdue
    referenceRate { referenceRateId } }
  rateResets { resetOn effectiveFrom fixedOn fixingPct previousRatePct ratePct scheduleVersion }`
async function ratesOf(facilityId: string, options: object = {}) {
  const { data, errors } = await bank.execute(
    `query ($id: ID!) { it: facility(facilityId: $id) { ${rateFields} } }`,
    { id: facilityId },
    options,
  )
  expect(errors).toEqual([])
  return data.it
}
const preview = (facilityId: string, fixingPct: string, options: object = {}) =>
  bank.execute(
    `query ($id: ID!, $fixingPct: Decimal!) { it: rateResetPreview(facilityId: $id, fixingPct: $fixingPct) {
      resetOn previousRatePct ratePct additionalInterest { amount }
      before { installment { amount } maturityDate totalInterest { amount } }
      after { installment { amount } maturityDate totalInterest { amount } } } }`,
    { id: facilityId, fixingPct },
    options,
  )
const codeOf = ({ errors }: { errors: any[] }) => errors[0]?.extensions?.code

/** A loan that is paid out today, with money on the account from which it is collected. */
async function aFloatingLoan(productId: string, more: object = {}): Promise<string> {
  const facilityId = `loan_floating_${++serial}`
  await opened(bank, aLoan({ facilityId, productId, ...more }))
  return facilityId
}
const paymentsOf = async (facilityId: string): Promise<string[]> =>
  (await facilityOf(bank, facilityId)).schedule.map(({ payment }: any) => payment)

/** The installments of an annuity by the textbook formula, in cents, without the last one. */
function annuity(principal: number, rates: readonly number[]): number[] {
  let balance = principal
  let installment = 0
  return rates.map((ratePct, index) => {
    const monthly = ratePct / 1200
    const left = rates.length - index
    if (index === 0 || ratePct !== rates[index - 1]) {
      installment = Math.round((balance * monthly) / (1 - (1 + monthly) ** -left))
    }
    balance -= installment - Math.round(balance * monthly)
    return installment
  })
}
const cents = (amount: string) => Math.round(Number(amount) * 100)

describe('a loan that follows a reference rate', () => {
  test('is agreed with a margin, and its rate is reset each quarter', async () => {
    await fund(bank, 'arr_ada', 10_000_000n)
    const { productId, referenceRate } = await aFloatingProduct({
      '2026-02-27': '2',
      '2026-05-31': '3.5',
      '2026-08-31': '1.25',
      '2026-11-30': '1.25',
    })
    const facilityId = await aFloatingLoan(productId)
    expect(await ratesOf(facilityId, { caller: ada })).toEqual({
      currentRatePct: '6',
      floatingRate: {
        marginPct: '4',
        frequency: 'QUARTERLY',
        lookbackDays: 2,
        minimumRatePct: '0',
        maximumRatePct: null,
        nextResetOn: '2026-06-02',
        isOverdue: false,
        referenceRate: { referenceRateId: referenceRate },
      },
      rateResets: [],
    })
    await morning('2026-06-02')
    expect(await ratesOf(facilityId)).toMatchObject({
      currentRatePct: '7.5',
      floatingRate: { nextResetOn: '2026-09-02', isOverdue: false },
      rateResets: [
        {
          resetOn: '2026-06-02',
          effectiveFrom: '2026-06-02',
          fixedOn: '2026-05-31',
          fixingPct: '3.5',
          previousRatePct: '6',
          ratePct: '7.5',
          scheduleVersion: 2,
        },
      ],
    })
    const versions = (await facilityOf(bank, facilityId)).scheduleVersions
    expect(versions[0]).toMatchObject({ version: 2, cause: 'RATE_CHANGE' })
    const events = await eventsOf(bank, `facility/${facilityId}`)
    expect(events.filter((type) => type === 'rate-reset')).toHaveLength(1)
    // The clock jumps over two resets; the last one does not change the rate.
    await morning('2026-12-03')
    const after = await ratesOf(facilityId)
    expect(
      after.rateResets.map(({ ratePct, scheduleVersion }: any) => [ratePct, scheduleVersion]),
    ).toEqual([
      ['5.25', null],
      ['5.25', 3],
      ['7.5', 2],
    ])
    const rates = [6, 6, 6, 7.5, 7.5, 7.5, 5.25, 5.25, 5.25, 5.25, 5.25, 5.25]
    const payments = (await paymentsOf(facilityId)).map(cents)
    const expected = annuity(1_200_000, rates)
    // The rounding of the last installment may be spread over the others, at most a cent for each.
    payments.slice(0, -1).forEach((payment, index) => {
      expect(Math.abs(payment - expected[index]!)).toBeLessThanOrEqual(1)
    })
    await morning('2027-03-03')
    expect((await facilityOf(bank, facilityId)).state).toBe('PAID_OFF')
    expect((await ratesOf(facilityId)).floatingRate.nextResetOn).toBeNull()
  })

  test('waits for the end of the reset date if the day of the fixing has none', async () => {
    const { productId, referenceRate } = await aFloatingProduct({ [addDays(today, -5)]: '2' })
    const facilityId = await aFloatingLoan(productId)
    const { nextResetOn } = (await ratesOf(facilityId)).floatingRate
    await morning(nextResetOn)
    expect((await ratesOf(facilityId)).rateResets).toEqual([])
    const fixedOn = addDays(nextResetOn, -4)
    await fix(referenceRate, { [addDays(today, -95)]: '2', [fixedOn]: '2.5' })
    await morning(nextResetOn)
    expect((await ratesOf(facilityId)).rateResets).toEqual([])
    await morning(addDays(nextResetOn, 1))
    expect((await ratesOf(facilityId)).rateResets).toMatchObject([
      { resetOn: nextResetOn, effectiveFrom: nextResetOn, fixedOn, ratePct: '6.5' },
    ])
  })

  test('keeps its rate without a valid fixing, and is reset from the last due date once there is one', async () => {
    const start = today
    const { productId, referenceRate } = await aFloatingProduct(
      { [addDays(start, -2)]: '2' },
      {},
      10,
    )
    const facilityId = await aFloatingLoan(productId)
    const { nextResetOn } = (await ratesOf(facilityId)).floatingRate
    const dueDates = (await facilityOf(bank, facilityId)).schedule.map(
      ({ dueDate }: any) => dueDate,
    )
    await morning(addDays(nextResetOn, 1))
    expect(await ratesOf(facilityId)).toMatchObject({
      currentRatePct: '6',
      floatingRate: { nextResetOn, isOverdue: true },
      rateResets: [],
    })
    // The next installment becomes due with the old rate, and does not change any more.
    await morning(addDays(dueDates[3], 10))
    const billed = (await paymentsOf(facilityId)).slice(0, 4)
    await fix(referenceRate, { [addDays(nextResetOn, -2)]: '5' }, 10)
    await morning(addDays(dueDates[3], 11))
    expect(await ratesOf(facilityId)).toMatchObject({
      currentRatePct: '9',
      floatingRate: { isOverdue: false },
      rateResets: [{ resetOn: nextResetOn, effectiveFrom: dueDates[3], previousRatePct: '6' }],
    })
    expect((await paymentsOf(facilityId)).slice(0, 4)).toEqual(billed)
  })

  test.each([
    ['-7.5', { minimumRatePct: '0.25' }, '0.25'],
    ['9.9', { maximumRatePct: '8' }, '8'],
    ['-0.5', {}, '3.5'],
  ])('with a fixing of %s and the bounds %o has a rate of %s', async (fixing, bounds, ratePct) => {
    const { productId, referenceRate } = await aFloatingProduct(
      { [today]: '2' },
      { lookbackDays: 0, ...bounds },
    )
    const facilityId = await aFloatingLoan(productId)
    const { nextResetOn } = (await ratesOf(facilityId)).floatingRate
    await fix(referenceRate, { [nextResetOn]: fixing })
    const previewed = await preview(facilityId, fixing, { caller: ada })
    expect(previewed.errors).toEqual([])
    await morning(nextResetOn)
    expect((await ratesOf(facilityId)).currentRatePct).toBe(ratePct)
    const [version, former] = (await facilityOf(bank, facilityId)).scheduleVersions
    expect(previewed.data.it).toMatchObject({
      resetOn: nextResetOn,
      ratePct,
      before: { totalInterest: former.figures.totalInterest },
      after: version.figures,
    })
    const [was, is] = [former, version].map(({ figures }) => cents(figures.totalInterest.amount))
    expect(cents(previewed.data.it.additionalInterest.amount)).toBe(is! - was!)
  })

  test('can be a revolving limit', async () => {
    const { productId, referenceRate } = await aFloatingProduct(
      { [today]: '2' },
      { frequency: 'monthly', lookbackDays: 0 },
    )
    const facilityId = `limit_floating_${++serial}`
    await opened(bank, aLimit({ facilityId, productId }))
    const drawn = { facilityId, amount: '5000.00', destination: { arrangementId: 'arr_ada' } }
    expect((await draw(bank, drawn)).errors).toEqual([])
    const { nextResetOn } = (await ratesOf(facilityId)).floatingRate
    await fix(referenceRate, { [nextResetOn]: '3' })
    await morning(nextResetOn)
    expect(await ratesOf(facilityId)).toMatchObject({
      currentRatePct: '7',
      rateResets: [{ ratePct: '7' }],
    })
  })

  test('cannot be opened without a fixing', async () => {
    const { productId } = await aFloatingProduct({ [addDays(today, -1)]: '2' })
    const { errors } = await open(bank, aLoan({ productId }))
    expect(codeOf({ errors })).toBe('REFERENCE_RATE_NOT_FIXED')
    expect(errors[0]!.message).toContain(addDays(today, -2))
  })

  test('is previewed only for those who may see it, and only if it has a reset to come', async () => {
    const { productId } = await aFloatingProduct({ [today]: '2' }, { lookbackDays: 0 })
    const facilityId = await aFloatingLoan(productId)
    expect((await preview(facilityId, '2', { caller: grace })).data).toMatchObject({ it: null })
    expect(codeOf(await preview(facilityId, '100.01'))).toBe('VALIDATION_FAILED')
    const fixed = await opened(bank, aLoan())
    expect(codeOf(await preview(fixed.facilityId, '2'))).toBe('NO_RATE_RESET')
    const { data } = await preview(facilityId, '2')
    expect(data.it).toMatchObject({ ratePct: '6', additionalInterest: { amount: '0.00' } })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  runDrawdownMutation,
  aLender,
  aLimit,
  aLoan,
  booked,
  draw,
  eur,
  facilityOf,
  findings,
  open,
  opened,
  publish,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  const version = {
    version: '2026.1',
    status: 'active',
    productClass: 'consumer-loan',
    currencies: ['EUR'],
    parameters: [
      { name: 'amount', minimum: '1000', maximum: '20000', default: null },
      { name: 'ratePct', minimum: '4', maximum: '9', default: null },
      { name: 'termMonths', minimum: '6', maximum: '48', default: null },
    ],
    fees: [
      upfront('ARRANGEMENT', { amount: { amountMinor: '9900', currency: 'EUR' } }),
      upfront('VALUATION', { percent: '0.5' }),
      { ...upfront('MONTHLY', { percent: '1' }), frequency: 'monthly' },
    ],
  }
  const old = { ...version, version: '2025.1', status: 'superseded', fees: [] }
  await publish(bank, 'product/prd_bounded', {
    productId: 'prd_bounded',
    versions: [old, version, { ...version, version: '2027.1', status: 'draft' }],
  })
})
afterAll(() => bank.drop())

const upfront = (code: string, more: object) => ({
  code,
  name: null,
  frequency: 'upfront',
  amount: null,
  percent: null,
  tiers: [],
  minimum: null,
  maximum: null,
  waivers: [],
  ...more,
})
const ofProduct = (more: object = {}) => aLoan({ productId: 'prd_bounded', ...more })
const inDollars = { amount: '5000.00', currency: 'USD' }

describe('facility under a product', () => {
  test.each([
    [
      'an amount below the minimum',
      { limit: eur('999.99') },
      'AMOUNT_OUT_OF_RANGE',
      '/limit/amount',
    ],
    [
      'an amount above the maximum',
      { limit: eur('20000.01') },
      'AMOUNT_OUT_OF_RANGE',
      '/limit/amount',
    ],
    ['a rate below the minimum', { ratePct: '3.99' }, 'RATE_OUT_OF_RANGE', '/ratePct'],
    ['a zero rate', { ratePct: '0' }, 'RATE_OUT_OF_RANGE', '/ratePct'],
    ['a rate above the maximum', { ratePct: '9.01' }, 'RATE_OUT_OF_RANGE', '/ratePct'],
    ['a term below the minimum', { installments: 5 }, 'TERM_OUT_OF_RANGE', '/installments'],
    ['a term above the maximum', { installments: 49 }, 'TERM_OUT_OF_RANGE', '/installments'],
    [
      'a term in quarters above the maximum',
      { installments: 17, frequency: 'QUARTERLY' },
      'TERM_OUT_OF_RANGE',
      '/installments',
    ],
    [
      'a term in weeks below the minimum',
      { installments: 26, frequency: 'WEEKLY' },
      'TERM_OUT_OF_RANGE',
      '/installments',
    ],
    [
      'a currency that is not offered',
      { limit: inDollars, settlementArrangementId: null, disburse: false },
      'CURRENCY_NOT_OFFERED',
      '/limit/currency',
    ],
    ['another product class', { kind: 'MORTGAGE' }, 'PRODUCT_NOT_LENDABLE', '/kind'],
    ['an unknown version', { productVersion: 'x' }, 'PRODUCT_NOT_FOUND', '/productVersion'],
    ['a draft version', { productVersion: '2027.1' }, 'PRODUCT_NOT_ACTIVE', '/productId'],
    ['a superseded version', { productVersion: '2025.1' }, 'PRODUCT_NOT_ACTIVE', '/productId'],
  ])('is rejected with %s', async (_why, more, code, pointer) => {
    const refused = await open(bank, ofProduct(more))
    expect(refused.code).toBe(code)
    expect(refused.errors[0]!.extensions).toMatchObject({ errors: [{ pointer }] })
  })

  test('is rejected with every bound that it violates at once', async () => {
    const refused = await open(
      bank,
      ofProduct({ limit: eur('1.00'), ratePct: '50', installments: 1 }),
    )
    const faults = refused.errors[0]!.extensions!['errors'] as { code: string }[]
    expect(faults.map(({ code }) => code)).toEqual([
      'AMOUNT_OUT_OF_RANGE',
      'RATE_OUT_OF_RANGE',
      'TERM_OUT_OF_RANGE',
    ])
  })

  test('keeps the superseded version under which an application was approved', async () => {
    const agreed = { productVersion: '2025.1', applicationId: 'app_1' }
    expect((await open(bank, ofProduct(agreed))).errors).toEqual([])
  })
})

describe('upfront fees', () => {
  const cost = `costOfCredit { upfrontFees { code amount { amount } } upfrontFeesCharged { amount }
    totalInterest { amount } totalPayable { amount } annualPercentageRate }`
  const costOf = async (id: string) => {
    const query = `query ($id: ID!) { facility(facilityId: $id) { ${cost} } }`
    return (await bank.execute(query, { id })).data.facility.costOfCredit
  }

  test('are deducted from the first drawdown and booked as income', async () => {
    const [before, income] = [
      await booked(bank, 'arr_ada'),
      await booked(bank, 'fee-income/EUR').catch(() => 0),
    ]
    const { facilityId } = await opened(bank, ofProduct())
    expect((await booked(bank, 'arr_ada')) - before).toBe(1_200_000 - 9900 - 6000)
    expect((await booked(bank, 'fee-income/EUR')) - income).toBe(15_900)
    expect(await booked(bank, `loan@${facilityId}`, 'principal')).toBe(1_200_000)
    const it = await costOf(facilityId)
    expect(it).toMatchObject({
      upfrontFees: [
        { code: 'ARRANGEMENT', amount: { amount: '99.00' } },
        { code: 'VALUATION', amount: { amount: '60.00' } },
      ],
      upfrontFeesCharged: { amount: '159.00' },
    })
    expect(Number(it.annualPercentageRate)).toBeGreaterThan(8.5)
    expect(Number(it.totalPayable.amount)).toBeCloseTo(
      12_000 + Number(it.totalInterest.amount) + 159,
    )
    expect(await findings(bank)).toEqual([])
  })

  test('are charged once, and refunded when the drawdown is reversed', async () => {
    const { facilityId } = await opened(bank, ofProduct({ disburse: false }))
    expect((await costOf(facilityId)).upfrontFeesCharged.amount).toBe('0.00')
    const [before, income] = [await booked(bank, 'arr_ada'), await booked(bank, 'fee-income/EUR')]
    const refused = await draw(bank, { facilityId, amount: '159.00' })
    expect(refused.code).toBe('BELOW_MINIMUM_DRAWDOWN')
    const first = (await draw(bank, { facilityId, amount: '1000.00' })).data.drawdown
    expect((await booked(bank, 'arr_ada')) - before).toBe(100_000 - 15_900)
    await runDrawdownMutation(bank, 'reverseDrawdown', first.drawdownId)
    expect(await booked(bank, 'arr_ada')).toBe(before)
    expect(await booked(bank, 'fee-income/EUR')).toBe(income)
    await draw(bank, { facilityId, amount: '1000.00' })
    await draw(bank, { facilityId, amount: '1000.00' })
    expect((await booked(bank, 'arr_ada')) - before).toBe(200_000 - 15_900)
    expect((await costOf(facilityId)).upfrontFeesCharged.amount).toBe('159.00')
    expect(await findings(bank)).toEqual([])
  })
})

describe('revolving limit', () => {
  test('matures after the last day on which it can be drawn', async () => {
    const { facilityId } = await opened(bank, aLimit({ availableTo: '2028-03-02' }))
    expect((await facilityOf(bank, facilityId)).maturityDate).toBe('2028-04-02')
    const late = { facilityId, amount: '100.00', valueDate: '2026-03-02' }
    expect((await draw(bank, late)).errors).toEqual([])
  })

  test('is rejected with installments that end before that day', async () => {
    const refused = await open(bank, aLimit({ availableTo: '2028-03-02', installments: 12 }))
    expect(refused.code).toBe('INVALID_DATE_RANGE')
    expect(refused.errors[0]!.extensions).toMatchObject({ errors: [{ pointer: '/availableTo' }] })
  })
})

// Runs the commands of the guides on late payments and credit losses exactly as printed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { resultsOf } from './guide-kit.ts'

describe('charge-late-payments.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('each command has the result that the guide describes', async () => {
    const results = await resultsOf('charge-late-payments.md', bank)
    const [late, agreed, quote, waived, paused, promised, paid, , product] = results
    const [first, second] = late.loan.schedule
    expect(late.loan).toMatchObject({ state: 'IN_ARREARS', delinquency: { daysPastDue: 16 } })
    expect(Number(first.lateFee)).toBe(10)
    expect(Number(first.defaultInterest)).toBeGreaterThan(0)
    expect([second.lateFee, second.defaultInterest]).toEqual(['0.00', '0.00'])
    expect(agreed.loan.lateCharges).toMatchObject({ defaultInterestPct: '8.27', graceDays: 5 })
    const { due, lateCharges } = quote.loan.payoffQuote
    expect(Number(due.amount) - Number(lateCharges.amount)).toBeCloseTo(256.06, 2)
    expect(waived.waiveLateCharges.lateFeesDue.amount).toBe('0.00')
    expect(paused.pauseLateCharges.lateChargePauses).toMatchObject([{ pausedBy: 'liam' }])
    expect(promised.createPromiseToPay.status).toBe('OPEN')
    expect(paid.recordRepayment.allocations).toMatchObject([
      { installment: 1 },
      { installment: 1 },
      { installment: 2 },
      { installment: 2 },
    ])
    await eventually(async () => {
      const { body } = await bank.graph(
        '{ promisesToPay(facilityId: "loan_grace", first: 5) { nodes { status } } }',
      )
      return body.data.promisesToPay.nodes[0].status === 'KEPT'
    })
    expect(product.createProduct.productId).toBe('prd_bike_loan')
  })
})

describe('provide-for-credit-losses.md', () => {
  let bank: Platform
  beforeAll(async () => {
    bank = await aSeededPlatform()
  })
  afterAll(() => bank.stop())

  test('a loan that was late is in stage 2, and its allowance covers its lifetime', async () => {
    const results = await resultsOf('provide-for-credit-losses.md', bank)
    const [opened, drawn, clock, provided] = results
    expect(opened.openFacility.state).toBe('APPROVED')
    expect(drawn.createDrawdown.status).toBe('DISBURSED')
    expect(clock).toContain('all work that was due is done')
    const { provision } = provided.facility
    expect(provision).toMatchObject({ stage: 'STAGE_2', reasons: ['DAYS_PAST_DUE'] })
    const [latest] = provision.history.nodes
    expect(latest.daysPastDue).toBeGreaterThan(30)
    expect(latest.expectedLoss).toEqual(provision.allowance)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  booked,
  draw,
  eur,
  facilityOf,
  findings,
  fund,
  grace,
  morningOf,
  opened,
  quoteOf,
  runOnce,
  eventsOf,
} from './facility-kit.ts'
import { aProduct, does, made, payExtra, previewExtra, read } from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await fund(bank, 'arr_ada', 100_000_00n)
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

const start = '2026-03-02T09:00:00Z'
let serial = 0
const aLoanId = async (more: object = {}) => {
  const facilityId = `loan_x${++serial}`
  await opened(bank, aLoan({ facilityId, ...more }))
  return facilityId
}
const now = { sourceArrangementId: 'arr_ada' }
const from = (facilityId: string, amount: string, more: object = {}) =>
  Object.assign({ facilityId, amount }, now, more)

describe('extra payment', () => {
  test('from an account matches its preview, changes the schedule and emits its events', async () => {
    const facilityId = await aLoanId()
    bank.clock.set('2026-03-17T09:00:00Z')
    const input = from(facilityId, '3000.00', {
      strategy: 'REDUCE_INSTALLMENT',
      reference: 'bonus',
    })
    const before = await booked(bank, 'arr_ada')
    const { preview } = (await previewExtra(bank, input)).data
    expect(await booked(bank, 'arr_ada')).toBe(before)
    const payment = await made(payExtra(bank, input, { caller: ada }))
    const { installments, ...figures } = preview
    expect(payment).toMatchObject(figures)
    expect(payment).toMatchObject({
      status: 'APPLIED',
      // 12,000 at 6 % a year, 15 of the 31 days of the month to 2 April.
      allocation: { overdue: eur('0.00'), interest: eur('29.03'), principal: eur('2970.97') },
      prepaymentFee: eur('0.00'),
      after: { maturityDate: payment.before.maturityDate },
      reference: 'bonus',
      source: { arrangementId: 'arr_ada' },
      scheduleVersion: 2,
    })
    const facility = await facilityOf(bank, facilityId)
    const shown = facility.schedule.map(({ number, dueDate, payment: due }: any) => [
      number,
      dueDate,
      due,
    ])
    expect(shown).toEqual(
      installments.map((line: any) => [line.number, line.dueDate, line.payment]),
    )
    expect(facility).toMatchObject({
      outstandingPrincipal: { amount: '9029.03' },
      accruedInterest: { amount: '0.00' },
      scheduleVersions: [{ cause: 'EXTRA_PAYMENT' }, {}],
    })
    expect(await booked(bank, 'arr_ada')).toBe(before - 300_000)
    expect(await eventsOf(bank, `extra-payment/${payment.extraPaymentId}`)).toEqual([
      'requested',
      'applied',
    ])
    expect(await eventsOf(bank, `facility/${facilityId}`)).toContain('schedule-changed')
    expect(
      (await read(bank, 'extraPayment', payment.extraPaymentId, { caller: ada })).data.record,
    ).toEqual(payment)
    expectAbsent(await read(bank, 'extraPayment', payment.extraPaymentId, { caller: grace }))
    bank.clock.set(start)
  })

  test('shortens the term by default, which saves more interest than lower installments', async () => {
    const figures = async (more: object) => {
      const { preview } = (await previewExtra(bank, from(await aLoanId(), '2500.00', more))).data
      return preview
    }
    const [term, lower, next] = [
      await figures({}),
      await figures({ strategy: 'REDUCE_INSTALLMENT' }),
      await figures({ strategy: 'PREPAY_NEXT' }),
    ]
    expect(term.strategy).toBe('REDUCE_TERM')
    expect(term.after.maturityDate < term.before.maturityDate).toBe(true)
    expect(term.after.installment).toEqual(term.before.installment)
    expect(lower.after.maturityDate).toBe(lower.before.maturityDate)
    expect(Number(lower.after.installment.amount)).toBeLessThan(
      Number(lower.before.installment.amount),
    )
    expect(Number(term.interestSaved.amount)).toBeGreaterThan(Number(lower.interestSaved.amount))
    expect(next.after.installment).toEqual(eur('0.00'))
  })

  test('with strategy PAYOFF pays the exact payoff quote and ends the loan', async () => {
    const facilityId = await aLoanId()
    bank.clock.set('2026-03-20T09:00:00Z')
    const quote = await quoteOf(bank, facilityId)
    const payment = await made(payExtra(bank, { facilityId, strategy: 'PAYOFF', ...now }))
    expect(payment.amount.amount).toBe(quote.total.amount)
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'PAID_OFF',
      outstandingPrincipal: { amount: '0.00' },
      accruedInterest: { amount: '0.00' },
      nextInstallment: null,
    })
    expect(await eventsOf(bank, `facility/${facilityId}`)).toContain('paid-off')
    expect((await payExtra(bank, from(facilityId, '1.00'))).code).toBe('FACILITY_NOT_ACTIVE')
    const back = await does(bank, 'reverseExtraPayment', 'extraPayment', payment.extraPaymentId)
    expect(back.code).toBe('FACILITY_NOT_ACTIVE')
    bank.clock.set(start)
  })

  test('pays arrears first and cures the facility; its reversal restores the arrears', async () => {
    const facilityId = await aLoanId()
    const uncollected =
      'update lending.facility set settlement_arrangement_id = null where facility_id = $1'
    await bank.rows(uncollected, [facilityId])
    await morningOf(bank, '2026-04-20')
    expect(await facilityOf(bank, facilityId)).toMatchObject({ state: 'IN_ARREARS' })
    const input = from(facilityId, '2000.00')
    const { preview } = (await previewExtra(bank, input)).data
    const payment = await made(payExtra(bank, input))
    expect(payment.allocation).toEqual(preview.allocation)
    expect(payment.allocation.overdue.amount).toBe('1032.80')
    expect(await facilityOf(bank, facilityId)).toMatchObject({ state: 'ACTIVE' })
    await made(does(bank, 'reverseExtraPayment', 'extraPayment', payment.extraPaymentId))
    expect(await facilityOf(bank, facilityId)).toMatchObject({ state: 'IN_ARREARS' })
    bank.clock.set(start)
  })

  test('on a limit restores the available amount, and cannot reduce the term', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_x' }))
    await draw(bank, { facilityId: 'fac_x', amount: '4000.00' })
    expect((await payExtra(bank, from('fac_x', '10.00', { strategy: 'REDUCE_TERM' }))).code).toBe(
      'STRATEGY_NOT_SUPPORTED',
    )
    await made(payExtra(bank, from('fac_x', '1000.00')))
    expect(await facilityOf(bank, 'fac_x')).toMatchObject({ available: { amount: '7000.00' } })
    await made(payExtra(bank, { facilityId: 'fac_x', strategy: 'PAYOFF', ...now }))
    expect(await facilityOf(bank, 'fac_x')).toMatchObject({
      state: 'ACTIVE',
      available: { amount: '10000.00' },
    })
  })

  test('is applied once external money has arrived or its payment date has come', async () => {
    const facilityId = await aLoanId()
    const elsewhere = await made(payExtra(bank, { facilityId, amount: '500.00' }))
    expect(elsewhere).toMatchObject({
      status: 'REQUESTED',
      postingInstructionId: null,
      scheduleVersion: null,
    })
    const settlement = await booked(bank, 'settlement/EUR')
    expect(
      (
        await does(bank, 'applyExtraPayment', 'extraPayment', elsewhere.extraPaymentId, {
          caller: ada,
        })
      ).code,
    ).toBe('NOT_FOR_DELEGATED_USERS')
    const applied = await made(
      does(bank, 'applyExtraPayment', 'extraPayment', elsewhere.extraPaymentId),
    )
    expect(applied).toMatchObject({ status: 'APPLIED', scheduleVersion: 2 })
    expect(await booked(bank, 'settlement/EUR')).toBe(settlement + 50_000)
    const later = await made(
      payExtra(bank, from(facilityId, '700.00', { paymentDate: '2026-03-10' })),
    )
    const tooMuch = await made(
      payExtra(bank, {
        ...from(facilityId, '700.00', { paymentDate: '2026-03-10' }),
        sourceArrangementId: 'arr_grace',
      }),
    )
    expect([later.status, tooMuch.status]).toEqual(['REQUESTED', 'REQUESTED'])
    expect(await runOnce(bank, 'lending.execute-extra-payments')).toBe(0)
    bank.clock.set('2026-03-10T00:00:00Z')
    await runOnce(bank, 'lending.execute-extra-payments')
    expect(await runOnce(bank, 'lending.execute-extra-payments')).toBe(0)
    const status = async ({ extraPaymentId }: any) =>
      (await read(bank, 'extraPayment', extraPaymentId)).data.record
    expect(await status(later)).toMatchObject({ status: 'APPLIED', paymentDate: '2026-03-10' })
    expect(await status(tooMuch)).toMatchObject({
      status: 'REJECTED',
      reasonCode: 'INSUFFICIENT_FUNDS',
    })
    bank.clock.set(start)
  })

  test('applies the prepayment fee of the product within the legal cap, and its minimum amount', async () => {
    await aProduct(bank, 'prd_fee', {
      prepaymentFeePct: '5',
      prepaymentFreePct: '10',
      extraPaymentMinimum: '50.005',
      extraPaymentStrategy: 'reduce-instalment',
    })
    const product = { productId: 'prd_fee', productVersion: '2026.1' }
    const short = await aLoanId(product)
    const first = await made(payExtra(bank, from(short, '1000.00')))
    expect(first).toMatchObject({ strategy: 'REDUCE_INSTALLMENT', prepaymentFee: eur('0.00') })
    const before = await booked(bank, 'arr_ada')
    const second = await made(payExtra(bank, from(short, '1200.00')))
    // 200 of the 1,200 are still free of charge; half a percent of 1,000 with a year to go.
    expect(second.prepaymentFee).toEqual(eur('5.00'))
    expect(await booked(bank, 'arr_ada')).toBe(before - 120_500)
    const reversed = await made(
      does(bank, 'reverseExtraPayment', 'extraPayment', second.extraPaymentId),
    )
    expect(reversed.status).toBe('REVERSED')
    expect(await booked(bank, 'arr_ada')).toBe(before)
    const feeFor = async (more: object) => {
      const loanId = await aLoanId({ ...product, ...more })
      return (await previewExtra(bank, from(loanId, '2200.00'))).data.preview.prepaymentFee
    }
    expect(await feeFor({ installments: 48 })).toEqual(eur('10.00'))
    expect(await feeFor({ installments: 48, kind: 'SME_FACILITY' })).toEqual(eur('50.00'))
    // A year with a leap day is not more than a year.
    bank.clock.set('2027-06-01T09:00:00Z')
    expect(await feeFor({})).toEqual(eur('5.00'))
    bank.clock.set(start)
    expect((await payExtra(bank, from(short, '49.99'))).code).toBe('BELOW_MINIMUM_EXTRA_PAYMENT')
    expect((await payExtra(bank, from(short, '50.00'))).errors).toEqual([])
  })

  test.each([
    ['a zero amount', { amount: '0.00' }, 'INVALID_AMOUNT'],
    ['a negative amount', { amount: '-1.00' }, 'INVALID_AMOUNT'],
    ['a missing amount', { amount: null }, 'VALIDATION_FAILED'],
    ['fractions of a cent', { amount: '1.001' }, 'VALIDATION_FAILED'],
    ['another currency', { amount: { amount: '1.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
    ['an amount above the payoff', { amount: '12000.01' }, 'EXCEEDS_PAYOFF_AMOUNT'],
    ['a payoff with a lower amount', { amount: '1.00', strategy: 'PAYOFF' }, 'INVALID_AMOUNT'],
    ['a payment date too far ahead', { paymentDate: '2028-01-01' }, 'INVALID_PAYMENT_DATE'],
    ['a payment date too far in the past', { paymentDate: '2026-01-01' }, 'INVALID_PAYMENT_DATE'],
    ['an unknown account', { sourceArrangementId: 'arr_none' }, 'ARRANGEMENT_NOT_FOUND'],
    ['an unknown facility', { facilityId: 'fac_none' }, 'FACILITY_NOT_FOUND'],
    [
      'an account without enough money',
      { sourceArrangementId: 'arr_grace', amount: '12000.00' },
      'INSUFFICIENT_FUNDS',
    ],
  ])('is rejected for %s and stores nothing', async (_why, more, code) => {
    const facilityId = await aLoanId()
    const entries = await bank.rows('select count(*) from ledger.entry')
    const request = { ...from(facilityId, '1.00'), ...more }
    const refused = await payExtra(bank, request)
    expect(refused.code).toBe(code)
    if (code === 'EXCEEDS_PAYOFF_AMOUNT') {
      expect(refused.errors[0]!.extensions).toMatchObject({ payoffAmount: eur('12000.00') })
    }
    expect(await bank.rows('select count(*) from ledger.entry')).toEqual(entries)
    expect(
      await bank.rows('select * from lending.extra_payment where facility_id = $1', [facilityId]),
    ).toEqual([])
  })

  test('treats the facility or account of another party as unknown', async () => {
    const facilityId = await aLoanId()
    expect((await payExtra(bank, from(facilityId, '1.00'), { caller: grace })).code).toBe(
      'FACILITY_NOT_FOUND',
    )
    const hers = { ...from(facilityId, '1.00'), sourceArrangementId: 'arr_grace' }
    expect((await payExtra(bank, hers, { caller: ada })).code).toBe('ARRANGEMENT_NOT_FOUND')
  })

  test('is applied once when the request is repeated', async () => {
    const facilityId = await aLoanId()
    const request = from(facilityId, '10.00', { extraPaymentId: 'xpm_once' })
    const first = await made(payExtra(bank, request))
    expect(await made(payExtra(bank, request))).toEqual(first)
    expect((await payExtra(bank, { ...request, amount: '11.00' })).code).toBe('RESOURCE_EXISTS')
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      outstandingPrincipal: { amount: '11990.00' },
    })
  })
})

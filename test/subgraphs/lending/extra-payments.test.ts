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
  toldOf,
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
const from = (facilityId: string, amount: string, more: object = {}) => ({
  facilityId,
  amount,
  ...now,
  ...more,
})

describe('an extra payment', () => {
  test('from an account is what its preview said: money, schedule, and all of it told', async () => {
    const facilityId = await aLoanId()
    bank.clock.set('2026-03-17T09:00:00Z')
    const input = from(facilityId, '3000.00', { strategy: 'REDUCE_INSTALMENT', reference: 'bonus' })
    const before = await booked(bank, 'arr_ada')
    const { preview } = (await previewExtra(bank, input)).data
    expect(await booked(bank, 'arr_ada')).toBe(before)
    const payment = await made(payExtra(bank, input, { caller: ada }))
    const { instalments, ...figures } = preview
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
    expect(shown).toEqual(instalments.map((line: any) => [line.number, line.dueDate, line.payment]))
    expect(facility).toMatchObject({
      outstandingPrincipal: { amount: '9029.03' },
      accruedInterest: { amount: '0.00' },
      scheduleVersions: [{ cause: 'EXTRA_PAYMENT' }, {}],
    })
    expect(await booked(bank, 'arr_ada')).toBe(before - 300_000)
    expect(await toldOf(bank, `extra-payment/${payment.extraPaymentId}`)).toEqual([
      'requested',
      'applied',
    ])
    expect(await toldOf(bank, `facility/${facilityId}`)).toContain('schedule-changed')
    expect(
      (await read(bank, 'extraPayment', payment.extraPaymentId, { caller: ada })).data.record,
    ).toEqual(payment)
    expectAbsent(await read(bank, 'extraPayment', payment.extraPaymentId, { caller: grace }))
    bank.clock.set(start)
  })

  test('ends a loan earlier unless something else is said, and saves more by it', async () => {
    const figures = async (more: object) => {
      const { preview } = (await previewExtra(bank, from(await aLoanId(), '2500.00', more))).data
      return preview
    }
    const [term, lower, next] = [
      await figures({}),
      await figures({ strategy: 'REDUCE_INSTALMENT' }),
      await figures({ strategy: 'PREPAY_NEXT' }),
    ]
    expect(term.strategy).toBe('REDUCE_TERM')
    expect(term.after.maturityDate < term.before.maturityDate).toBe(true)
    expect(term.after.instalment).toEqual(term.before.instalment)
    expect(lower.after.maturityDate).toBe(lower.before.maturityDate)
    expect(Number(lower.after.instalment.amount)).toBeLessThan(
      Number(lower.before.instalment.amount),
    )
    expect(Number(term.interestSaved.amount)).toBeGreaterThan(Number(lower.interestSaved.amount))
    expect(next.after.instalment).toEqual(eur('0.00'))
  })

  test('pays everything off, to the cent, and the loan is over', async () => {
    const facilityId = await aLoanId()
    bank.clock.set('2026-03-20T09:00:00Z')
    const quote = await quoteOf(bank, facilityId)
    const payment = await made(payExtra(bank, { facilityId, strategy: 'PAYOFF', ...now }))
    expect(payment.amount.amount).toBe(quote.total.amount)
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'PAID_OFF',
      outstandingPrincipal: { amount: '0.00' },
      accruedInterest: { amount: '0.00' },
      nextInstalment: null,
    })
    expect(await toldOf(bank, `facility/${facilityId}`)).toContain('paid-off')
    expect((await payExtra(bank, from(facilityId, '1.00'))).code).toBe('FACILITY_NOT_ACTIVE')
    const back = await does(bank, 'reverseExtraPayment', 'extraPayment', payment.extraPaymentId)
    expect(back.code).toBe('FACILITY_NOT_ACTIVE')
    bank.clock.set(start)
  })

  test('pays what is overdue first, and the facility is not late any more', async () => {
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

  test('on a limit repays what can be drawn again', async () => {
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

  test('of money from elsewhere, or of a later day, is booked when it is there', async () => {
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

  test('costs what the product says and the law allows', async () => {
    await aProduct(bank, 'prd_fee', {
      prepaymentFeePct: '5',
      prepaymentFreePct: '10',
      extraPaymentMinimum: '50.005',
      extraPaymentStrategy: 'reduce-instalment',
    })
    const product = { productId: 'prd_fee', productVersion: '2026.1' }
    const short = await aLoanId(product)
    const first = await made(payExtra(bank, from(short, '1000.00')))
    expect(first).toMatchObject({ strategy: 'REDUCE_INSTALMENT', prepaymentFee: eur('0.00') })
    const before = await booked(bank, 'arr_ada')
    const second = await made(payExtra(bank, from(short, '1200.00')))
    // 200 of the 1,200 are free yet; half a percent of 1,000 with a year to go.
    expect(second.prepaymentFee).toEqual(eur('5.00'))
    expect(await booked(bank, 'arr_ada')).toBe(before - 120_500)
    const reversed = await made(
      does(bank, 'reverseExtraPayment', 'extraPayment', second.extraPaymentId),
    )
    expect(reversed.status).toBe('REVERSED')
    expect(await booked(bank, 'arr_ada')).toBe(before)
    const long = await aLoanId({ ...product, instalments: 48 })
    expect((await previewExtra(bank, from(long, '2200.00'))).data.preview.prepaymentFee).toEqual(
      eur('10.00'),
    )
    const company = await aLoanId({ ...product, kind: 'SME_FACILITY', instalments: 48 })
    expect((await previewExtra(bank, from(company, '2200.00'))).data.preview.prepaymentFee).toEqual(
      eur('50.00'),
    )
    expect((await payExtra(bank, from(short, '49.99'))).code).toBe('BELOW_MINIMUM_EXTRA_PAYMENT')
    expect((await payExtra(bank, from(short, '50.00'))).errors).toEqual([])
  })

  test.each([
    ['nothing', { amount: '0.00' }, 'INVALID_AMOUNT'],
    ['less than nothing', { amount: '-1.00' }, 'INVALID_AMOUNT'],
    ['no amount', { amount: null }, 'VALIDATION_FAILED'],
    ['parts of a cent', { amount: '1.001' }, 'VALIDATION_FAILED'],
    ['another currency', { amount: { amount: '1.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
    ['more than is owed', { amount: '12000.01' }, 'EXCEEDS_PAYOFF_AMOUNT'],
    ['a payoff of less', { amount: '1.00', strategy: 'PAYOFF' }, 'INVALID_AMOUNT'],
    ['a day too far', { paymentDate: '2028-01-01' }, 'INVALID_PAYMENT_DATE'],
    ['a day long ago', { paymentDate: '2026-01-01' }, 'INVALID_PAYMENT_DATE'],
    ['no account', { sourceArrangementId: 'arr_none' }, 'ARRANGEMENT_NOT_FOUND'],
    ['no facility', { facilityId: 'fac_none' }, 'FACILITY_NOT_FOUND'],
    [
      'an empty account',
      { sourceArrangementId: 'arr_grace', amount: '12000.00' },
      'INSUFFICIENT_FUNDS',
    ],
  ])('is refused for %s, and nothing is kept', async (_why, more, code) => {
    const facilityId = await aLoanId()
    const entries = await bank.rows('select count(*) from ledger.entry')
    const asked = { ...from(facilityId, '1.00'), ...more }
    const refused = await payExtra(bank, asked)
    expect(refused.code).toBe(code)
    if (code === 'EXCEEDS_PAYOFF_AMOUNT') {
      expect(refused.errors[0]!.extensions).toMatchObject({ payoffAmount: eur('12000.00') })
    }
    expect(await bank.rows('select count(*) from ledger.entry')).toEqual(entries)
    expect(
      await bank.rows('select * from lending.extra_payment where facility_id = $1', [facilityId]),
    ).toEqual([])
  })

  test("of somebody else's money, or facility, is of none", async () => {
    const facilityId = await aLoanId()
    expect((await payExtra(bank, from(facilityId, '1.00'), { caller: grace })).code).toBe(
      'FACILITY_NOT_FOUND',
    )
    const hers = { ...from(facilityId, '1.00'), sourceArrangementId: 'arr_grace' }
    expect((await payExtra(bank, hers, { caller: ada })).code).toBe('ARRANGEMENT_NOT_FOUND')
  })

  test('is made once, however often it is asked for', async () => {
    const facilityId = await aLoanId()
    const asked = from(facilityId, '10.00', { extraPaymentId: 'xpm_once' })
    const first = await made(payExtra(bank, asked))
    expect(await made(payExtra(bank, asked))).toEqual(first)
    expect((await payExtra(bank, { ...asked, amount: '11.00' })).code).toBe('RESOURCE_EXISTS')
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      outstandingPrincipal: { amount: '11990.00' },
    })
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  booked,
  draw,
  facilityOf,
  findings,
  fund,
  grace,
  morningOf,
  opened,
  payBack,
  quoteOf,
  withdraw,
  eventsOf,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})
afterAll(() => bank.drop())

let serial = 0
/** A loan opened today, without automatic collection. */
async function aPlainLoan(more: object = {}): Promise<string> {
  const facilityId = `loan_${++serial}`
  await opened(bank, aLoan({ facilityId, disburse: false, settlementArrangementId: null, ...more }))
  await draw(bank, { facilityId, amount: '12000.00', destination: { arrangementId: 'arr_ada' } })
  return facilityId
}

describe('installment', () => {
  test('can be paid on its due date before the end of day, and is split into interest and principal', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    bank.clock.set('2026-04-02T09:00:00Z')
    const { repayment } = (await payBack(bank, { facilityId, amount: '1032.80' })).data
    expect(repayment).toMatchObject({
      status: 'APPLIED',
      isCollected: false,
      paymentDate: '2026-04-02',
      allocations: [
        { installment: 1, part: 'INTEREST', amount: '60.00' },
        { installment: 1, part: 'PRINCIPAL', amount: '972.80' },
      ],
      extraPrincipal: { amount: '0.00' },
    })
    expect(await booked(bank, 'settlement/EUR')).toBe(103_280)
    expect(await booked(bank, 'interest-income/EUR')).toBe(6000)
    const facility = await facilityOf(bank, facilityId)
    expect(facility).toMatchObject({
      state: 'ACTIVE',
      outstandingPrincipal: { amount: '11027.20' },
      accruedInterest: { amount: '0.00' },
      amountDue: { amount: '0.00' },
      nextInstallment: { dueDate: '2026-05-02' },
    })
  })

  test('can be paid in parts, and the last part cures the facility', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    await morningOf(bank, '2026-04-03')
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'IN_ARREARS',
      amountDue: { amount: '1032.80' },
      delinquency: { stage: 'PAST_DUE', daysPastDue: 1, arrears: { amount: '1032.80' } },
    })
    await payBack(bank, { facilityId, amount: '50.00' })
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'IN_ARREARS',
      delinquency: { arrears: { amount: '982.80' } },
    })
    await payBack(bank, { facilityId, amount: '982.80' })
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'ACTIVE',
      delinquency: { stage: 'CURRENT' },
    })
    expect((await eventsOf(bank, `facility/${facilityId}`)).slice(-2)).toEqual([
      'in-arrears',
      'cured',
    ])
  })

  test('is reduced by a payment before its due date', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    bank.clock.set('2026-03-17T09:00:00Z')
    const { repayment } = (await payBack(bank, { facilityId, amount: '1000.00' })).data
    expect(repayment).toMatchObject({ allocations: [], extraPrincipal: { amount: '970.97' } })
    const { schedule, scheduleVersions } = await facilityOf(bank, facilityId)
    expect(schedule[0].payment).toBe('32.80')
    expect(scheduleVersions[0].cause).toBe('EXTRA_PAYMENT')
    await morningOf(bank, '2026-04-03')
    expect((await facilityOf(bank, facilityId)).amountDue.amount).toBe('32.80')
  })
})

describe('loan payoff', () => {
  test('comes with the last installment', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan({ installments: 3 })
    for (const [at, date] of ['2026-04-02', '2026-05-02', '2026-06-02'].entries()) {
      bank.clock.set(`${date}T09:00:00Z`)
      const { schedule } = await facilityOf(bank, facilityId)
      const { errors } = await payBack(bank, { facilityId, amount: schedule[at].payment })
      expect(errors).toEqual([])
    }
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'PAID_OFF',
      outstandingPrincipal: { amount: '0.00' },
      nextInstallment: null,
    })
    expect((await eventsOf(bank, `facility/${facilityId}`)).at(-1)).toBe('paid-off')
    expect(await quoteOf(bank, facilityId)).toBeNull()
    expect((await payBack(bank, { facilityId, amount: '1.00' })).code).toBe('FACILITY_NOT_ACTIVE')
  })

  test.each(['2026-04-10', '2026-05-02'])(
    'on %s includes interest up to that day, and a higher amount is rejected',
    async (date) => {
      bank.clock.set('2026-03-02T09:00:00Z')
      const facilityId = await aPlainLoan()
      bank.clock.set(`${date}T09:00:00Z`)
      const quote = await quoteOf(bank, facilityId)
      const more = (Number(quote.total.amount) + 0.01).toFixed(2)
      expect((await payBack(bank, { facilityId, amount: more })).code).toBe('EXCEEDS_PAYOFF_AMOUNT')
      const { errors } = await payBack(bank, { facilityId, amount: quote.total.amount })
      expect(errors).toEqual([])
      expect((await facilityOf(bank, facilityId)).state).toBe('PAID_OFF')
      const totals = await bank.rows(
        `select sum(committed_debit - committed_credit)::int as owed from ledger.balance where account_id = $1`,
        [`loan@${facilityId}`],
      )
      expect(totals).toEqual([{ owed: 0 }])
    },
  )

  test('is quoted for a future date, and rejected for a past one', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    expect(await quoteOf(bank, facilityId, '2026-03-17')).toMatchObject({
      principal: { amount: '12000.00' },
      interest: { amount: '29.03' },
      due: { amount: '0.00' },
      total: { amount: '12029.03' },
    })
    const past = await bank.execute(
      'query ($id: ID!) { facility(facilityId: $id) { payoffQuote(on: "2026-03-01") { on } } }',
      { id: facilityId },
    )
    expect(past.code).toBe('VALIDATION_FAILED')
  })
})

describe('revolving limit', () => {
  test('can be drawn again after full repayment, within a period and in the next', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    await opened(bank, aLimit({ facilityId: 'fac_again', settlementArrangementId: null }))
    const destination = { arrangementId: 'arr_ada' }
    const input = { facilityId: 'fac_again', amount: '10000.00', destination }
    for (const day of ['2026-03-05', '2026-04-01', '2026-05-15']) {
      bank.clock.set(`${day}T09:00:00Z`)
      expect((await draw(bank, input)).errors).toEqual([])
      bank.clock.advance(10 * 86_400_000)
      const { total } = await quoteOf(bank, 'fac_again')
      const { errors } = await payBack(bank, { facilityId: 'fac_again', amount: total.amount })
      expect(errors).toEqual([])
      expect(await facilityOf(bank, 'fac_again')).toMatchObject({
        state: 'ACTIVE',
        available: { amount: '10000.00' },
        outstandingPrincipal: { amount: '0.00' },
      })
      expect(await findings(bank)).toEqual([])
    }
  })

  test('past its end matures when it is repaid', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    await opened(
      bank,
      aLimit({ facilityId: 'fac_over', installments: 2, settlementArrangementId: null }),
    )
    await draw(bank, {
      facilityId: 'fac_over',
      amount: '100.00',
      destination: { arrangementId: 'arr_ada' },
    })
    await morningOf(bank, '2026-05-03')
    const { amountDue, state } = await facilityOf(bank, 'fac_over')
    expect([state, amountDue.amount]).toEqual(['IN_ARREARS', '101.00'])
    await payBack(bank, { facilityId: 'fac_over', amount: '101.00' })
    expect((await facilityOf(bank, 'fac_over')).state).toBe('MATURED')
    expect((await eventsOf(bank, 'facility/fac_over')).slice(-2)).toEqual(['cured', 'matured'])
  })
})

describe('repayment', () => {
  test.each([
    ['an unknown facility', { facilityId: 'loan_x' }, 'FACILITY_NOT_FOUND'],
    ['a zero amount', { amount: '0.00' }, 'INVALID_AMOUNT'],
    ['a future payment date', { paymentDate: '2026-03-03' }, 'INVALID_PAYMENT_DATE'],
    ['a payment date before the loan', { paymentDate: '2026-03-01' }, 'INVALID_PAYMENT_DATE'],
    ['another currency', { amount: { amount: '1.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
    ['an unknown account', { sourceArrangementId: 'arr_x' }, 'ARRANGEMENT_NOT_FOUND'],
    ['an account without money', { sourceArrangementId: 'arr_grace' }, 'INSUFFICIENT_FUNDS'],
    ['an amount above the payoff', { amount: '12000.01' }, 'EXCEEDS_PAYOFF_AMOUNT'],
  ])('is rejected for %s', async (_why, more, code) => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    const eventCount = (await bank.events()).length
    expect((await payBack(bank, { facilityId, amount: '1.00', ...more })).code).toBe(code)
    expect((await bank.events()).length).toBe(eventCount)
  })

  test('by a delegated user comes from their own account and goes to their own loan', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    const input = { facilityId, amount: '10.00', sourceArrangementId: 'arr_ada' }
    expect((await payBack(bank, input, { caller: ada })).data.repayment.source).toEqual({
      arrangementId: 'arr_ada',
    })
    expect((await payBack(bank, input, { caller: grace })).code).toBe('FACILITY_NOT_FOUND')
    const outside = { facilityId, amount: '10.00' }
    expect((await payBack(bank, outside, { caller: ada })).code).toBe('NOT_FOR_DELEGATED_USERS')
    const others = { ...input, sourceArrangementId: 'arr_grace' }
    expect((await payBack(bank, others, { caller: ada })).code).toBe('ARRANGEMENT_NOT_FOUND')
  })

  test('counts once per id and per idempotency key', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    const input = { facilityId, amount: '10.00', repaymentId: 'rpm_once' }
    const first = await payBack(bank, input, { idempotencyKey: 'paid' })
    expect((await payBack(bank, input, { idempotencyKey: 'paid' })).data).toEqual(first.data)
    expect((await payBack(bank, input)).data).toEqual(first.data)
    expect((await payBack(bank, { ...input, amount: '11.00' })).code).toBe('RESOURCE_EXISTS')
    expect((await facilityOf(bank, facilityId)).outstandingPrincipal.amount).toBe('11990.00')
  })

  test.each(['1032.80', '3000.00'])(
    'of %s that is reversed restores the debt and the delinquency',
    async (amount) => {
      bank.clock.set('2026-03-02T09:00:00Z')
      const facilityId = await aPlainLoan()
      await morningOf(bank, '2026-04-03')
      await fund(bank, 'arr_grace', 300_000n)
      const { scheduleVersions: versions, ...before } = await facilityOf(bank, facilityId)
      const paid = await payBack(bank, { facilityId, amount, sourceArrangementId: 'arr_grace' })
      const { repaymentId } = paid.data.repayment
      expect((await withdraw(bank, repaymentId, { caller: ada })).code).toBe(
        'NOT_FOR_DELEGATED_USERS',
      )
      const keyed = { caller: employee, idempotencyKey: `bounced-${amount}` }
      const reversed = await withdraw(bank, repaymentId, keyed)
      expect(reversed.data.repayment.status).toBe('REVERSED')
      expect((await withdraw(bank, repaymentId, keyed)).data).toEqual(reversed.data)
      const retained = 'select is_retained from kernel.idempotency where key = $1'
      expect(await bank.rows(retained, [keyed.idempotencyKey])).toEqual([{ is_retained: true }])
      const { scheduleVersions: _, ...after } = await facilityOf(bank, facilityId)
      expect(after).toEqual({
        ...before,
        accruedInterest: after.accruedInterest,
        accruedThrough: '2026-04-03',
      })
      expect(versions).toHaveLength(1)
      const again = await withdraw(bank, repaymentId)
      expect(again.code).toBe('INVALID_STATE_TRANSITION')
      expect((await withdraw(bank, 'rpm_x')).code).toBe('REPAYMENT_NOT_FOUND')
    },
  )
})

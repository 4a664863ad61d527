import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
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
  takeBack,
  toldOf,
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
/** A loan that nothing is collected for, opened today. */
async function aPlainLoan(more: object = {}): Promise<string> {
  const facilityId = `loan_${++serial}`
  await opened(bank, aLoan({ facilityId, disburse: false, settlementArrangementId: null, ...more }))
  await draw(bank, { facilityId, amount: '12000.00', destination: { arrangementId: 'arr_ada' } })
  return facilityId
}

describe('an instalment', () => {
  test('is due on its day, before the day is over: interest and principal, and all of it paid', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    bank.clock.set('2026-04-02T09:00:00Z')
    const { repayment } = (await payBack(bank, { facilityId, amount: '1032.80' })).data
    expect(repayment).toMatchObject({
      status: 'APPLIED',
      isCollected: false,
      paymentDate: '2026-04-02',
      allocations: [
        { instalment: 1, part: 'INTEREST', amount: '60.00' },
        { instalment: 1, part: 'PRINCIPAL', amount: '972.80' },
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
      nextInstalment: { dueDate: '2026-05-02' },
    })
  })

  test('may be paid in parts', async () => {
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
    expect((await toldOf(bank, `facility/${facilityId}`)).slice(-2)).toEqual([
      'in-arrears',
      'cured',
    ])
  })

  test('that is not due yet is prepaid with what is too much', async () => {
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

describe('a loan that is paid off', () => {
  test('by its instalments is over with the last', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan({ instalments: 3 })
    for (const [at, date] of ['2026-04-02', '2026-05-02', '2026-06-02'].entries()) {
      bank.clock.set(`${date}T09:00:00Z`)
      const { schedule } = await facilityOf(bank, facilityId)
      const { errors } = await payBack(bank, { facilityId, amount: schedule[at].payment })
      expect(errors).toEqual([])
    }
    expect(await facilityOf(bank, facilityId)).toMatchObject({
      state: 'PAID_OFF',
      outstandingPrincipal: { amount: '0.00' },
      nextInstalment: null,
    })
    expect((await toldOf(bank, `facility/${facilityId}`)).at(-1)).toBe('paid-off')
    expect(await quoteOf(bank, facilityId)).toBeNull()
    expect((await payBack(bank, { facilityId, amount: '1.00' })).code).toBe('FACILITY_NOT_ACTIVE')
  })

  test.each(['2026-04-10', '2026-05-02'])(
    'on %s pays interest to the day and no longer',
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

  test('is quoted for a day to come as it then is', async () => {
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

describe('a limit', () => {
  test('is drawn again after it was repaid, all of it, in one period and the next', async () => {
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

  test('past its end is matured when it is repaid', async () => {
    bank.clock.set('2026-03-02T09:00:00Z')
    await opened(
      bank,
      aLimit({ facilityId: 'fac_over', instalments: 2, settlementArrangementId: null }),
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
    expect((await toldOf(bank, 'facility/fac_over')).slice(-2)).toEqual(['cured', 'matured'])
  })
})

describe('a repayment', () => {
  test.each([
    ['nothing there', { facilityId: 'loan_x' }, 'FACILITY_NOT_FOUND'],
    ['nothing', { amount: '0.00' }, 'INVALID_AMOUNT'],
    ['tomorrow', { paymentDate: '2026-03-03' }, 'INVALID_PAYMENT_DATE'],
    ['before there was a loan', { paymentDate: '2026-03-01' }, 'INVALID_PAYMENT_DATE'],
    ['another currency', { amount: { amount: '1.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
    ['no account', { sourceArrangementId: 'arr_x' }, 'ARRANGEMENT_NOT_FOUND'],
    ['an empty account', { sourceArrangementId: 'arr_grace' }, 'INSUFFICIENT_FUNDS'],
    ['more than is owed', { amount: '12000.01' }, 'EXCEEDS_PAYOFF_AMOUNT'],
  ])('is refused for %s', async (_why, more, code) => {
    bank.clock.set('2026-03-02T09:00:00Z')
    const facilityId = await aPlainLoan()
    const told = (await bank.events()).length
    expect((await payBack(bank, { facilityId, amount: '1.00', ...more })).code).toBe(code)
    expect((await bank.events()).length).toBe(told)
  })

  test('of a customer is from their own account, and only for their own loan', async () => {
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

  test('counts once under its id and its key', async () => {
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
    'of %s that bounced is owed again, and late as it was',
    async (amount) => {
      bank.clock.set('2026-03-02T09:00:00Z')
      const facilityId = await aPlainLoan()
      await morningOf(bank, '2026-04-03')
      await fund(bank, 'arr_grace', 300_000n)
      const { scheduleVersions: versions, ...before } = await facilityOf(bank, facilityId)
      const paid = await payBack(bank, { facilityId, amount, sourceArrangementId: 'arr_grace' })
      const { repaymentId } = paid.data.repayment
      expect((await takeBack(bank, repaymentId, { caller: ada })).code).toBe(
        'NOT_FOR_DELEGATED_USERS',
      )
      const keyed = { idempotencyKey: `bounced-${amount}` }
      const reversed = await takeBack(bank, repaymentId, keyed)
      expect(reversed.data.repayment.status).toBe('REVERSED')
      expect((await takeBack(bank, repaymentId, keyed)).data).toEqual(reversed.data)
      const kept = 'select is_kept from kernel.idempotency where key = $1'
      expect(await bank.rows(kept, [keyed.idempotencyKey])).toEqual([{ is_kept: true }])
      const { scheduleVersions: _, ...after } = await facilityOf(bank, facilityId)
      expect(after).toEqual({
        ...before,
        accruedInterest: after.accruedInterest,
        accruedThrough: '2026-04-03',
      })
      expect(versions).toHaveLength(1)
      const again = await takeBack(bank, repaymentId)
      expect(again.code).toBe('INVALID_STATE_TRANSITION')
      expect((await takeBack(bank, 'rpm_x')).code).toBe('REPAYMENT_NOT_FOUND')
    },
  )
})

/** The statements and annual certificates of facilities. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { expectAsStated } from './as-stated.ts'
import {
  ada,
  aLender,
  aLimit,
  draw,
  facilityOf,
  grace,
  morningOf,
  opened,
  payBack,
  publishLateProduct,
  withdraw,
} from './facility-kit.ts'
import { createHardshipRequest, payExtra, review } from './relief-kit.ts'
import { statementKit } from './statement-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender('2026-04-03T09:00:00Z')
  await publishLateProduct(bank, 'prd_late', 1500, {
    defaultInterestPct: '7.3',
    lossApprovalLimit: '100000',
    prepaymentFeePct: '1',
  })
})
afterAll(() => bank.drop())

const { today, read, statement, certificate, mutate, aLentLoan } = statementKit(() => bank)
const destination = { arrangementId: 'arr_ada' }
const kindsOf = (stated: any): string[] => stated.movements.map(({ kind }: any) => kind)
const reason = 'reason: "The borrower is bankrupt."'

describe('The statement of a loan', () => {
  test('has every movement with its parts, its record and the balance after it', async () => {
    const from = today()
    const { drawdownId, dueDate } = await aLentLoan('loan_stated')
    await morningOf(bank, addDays(dueDate, 11))
    const { data } = await payBack(bank, { facilityId: 'loan_stated', amount: '500.00' })
    const { repaymentId } = data.repayment
    const stated = await statement('loan_stated', from)
    expect(kindsOf(stated)).toEqual([
      'DRAWDOWN',
      'INTEREST',
      'INSTALLMENT_DUE',
      'INTEREST',
      'LATE_CHARGES',
      'INTEREST',
      'LATE_CHARGES',
      'REPAYMENT',
    ])
    const [drawn, interest, due, , fee, , defaultInterest, paid] = stated.movements
    expect(drawn).toMatchObject({ amount: '12000.00', principal: '12000.00', drawdownId })
    expect(interest).toMatchObject({ amount: '60.00', interest: '60.00', valueDate: dueDate })
    expect(due).toMatchObject({ valueDate: dueDate, bookedAt: null, balanceAfter: '12060.00' })
    expect(fee).toMatchObject({ valueDate: addDays(dueDate, 1), lateFees: '15.00' })
    expect(defaultInterest.lateFees).toBe('0.00')
    expect(Number(defaultInterest.defaultInterest)).toBeGreaterThan(0)
    expect(paid).toMatchObject({ amount: '500.00', repaymentId, lateFees: '-15.00' })
    expect(stated.nextInstallment.dueDate > today()).toBe(true)
    await expectAsStated(bank, 'loan_stated', 'paid', 7)
  })

  test('shows waived charges, a bounced payment and an extra payment with its fee', async () => {
    const from = today()
    const { dueDate } = await aLentLoan('loan_waived')
    await morningOf(bank, addDays(dueDate, 6))
    await mutate(
      `waiveLateCharges(input: { facilityId: "loan_waived", installment: 1, reason: GOODWILL }) { state }`,
    )
    const { data } = await payBack(bank, { facilityId: 'loan_waived', amount: '1100.00' })
    await withdraw(bank, data.repayment.repaymentId)
    await payExtra(bank, {
      facilityId: 'loan_waived',
      amount: '3000.00',
      sourceArrangementId: 'arr_ada',
    })
    const stated = await statement('loan_waived', from)
    expect(kindsOf(stated)).toEqual(
      expect.arrayContaining([
        'LATE_CHARGES_WAIVED',
        'REPAYMENT',
        'REPAYMENT_REVERSED',
        'EXTRA_PAYMENT',
        'PREPAYMENT_FEE',
      ]),
    )
    const fee = stated.movements.find(({ kind }: any) => kind === 'PREPAYMENT_FEE')
    expect([fee.amount, fee.principal, fee.interest]).toEqual([fee.fee, '0.00', '0.00'])
    expect(Number(fee.fee)).toBeGreaterThan(0)
    await expectAsStated(bank, 'loan_waived', 'paid', 11)
    const paid = await certificate('loan_waived', 2026)
    expect(paid.feesPaid).toBe(fee.fee)
    expect(paid.principalRepaid).not.toBe('0.00')
    expect(paid.closing).toEqual(stated.closing)
  })

  test('puts a payment with an earlier date into the period of that date', async () => {
    const from = today()
    const { dueDate } = await aLentLoan('loan_early')
    await morningOf(bank, addDays(dueDate, 20))
    const period = [from, addDays(dueDate, 3)] as const
    const before = await statement('loan_early', ...period)
    const paymentDate = addDays(dueDate, 2)
    await payBack(bank, { facilityId: 'loan_early', amount: '700.00', paymentDate })
    const after = await statement('loan_early', ...period)
    expect(Number(before.closing.total) - Number(after.closing.total)).toBeCloseTo(700, 2)
    expect(after.movements.at(-1)).toMatchObject({ kind: 'REPAYMENT', valueDate: paymentDate })
    expect(kindsOf(await statement('loan_early', addDays(period[1], 1)))).toContain(
      'LATE_CHARGES_CORRECTED',
    )
    await expectAsStated(bank, 'loan_early', 'paid', 9)
  })

  test('follows arrears that were added to the principal, and a new rate', async () => {
    const from = today()
    const { dueDate } = await aLentLoan('loan_relief')
    await morningOf(bank, addDays(dueDate, 40))
    const { data } = await createHardshipRequest(
      bank,
      { loanId: 'loan_relief', type: 'RESTRUCTURE', reason: 'Ill' },
      { caller: ada },
    )
    const { hardshipRequestId } = data.record
    await review(bank, { hardshipRequestId, action: 'START' })
    const relief = { ratePct: '2.5', isArrearsCapitalized: true }
    await review(bank, { hardshipRequestId, action: 'APPROVE', relief })
    await morningOf(bank, addDays(today(), 3))
    const stated = await statement('loan_relief', from)
    const [added] = stated.movements.filter(({ kind }: any) => kind === 'ARREARS_CAPITALIZED')
    expect(Number(added.principal) + Number(added.interest)).toBeGreaterThan(0)
    expect(added.balanceAfter).toBe(
      stated.movements[stated.movements.indexOf(added) - 1].balanceAfter,
    )
    const [changed] = stated.movements.filter(({ kind }: any) => kind === 'RATE_CHANGE')
    expect(changed).toMatchObject({ ratePct: '2.5', text: 'Interest rate 2.5 %', amount: '0.00' })
    // A statement up to an earlier day has the installment of the schedule of that day.
    const before = await statement('loan_relief', from, addDays(dueDate, 38))
    expect(before.nextInstallment.payment.amount).toBe('1032.80')
    expect(stated.nextInstallment.payment.amount).not.toBe('1032.80')
    await expectAsStated(bank, 'loan_relief', 'restructured', 13)
  })

  test('keeps a charged-off amount until it is recovered or written off', async () => {
    const from = today()
    const { dueDate } = await aLentLoan('loan_lost')
    await morningOf(bank, addDays(today(), 20))
    await mutate(`chargeOffFacility(facilityId: "loan_lost", ${reason}) { state }`)
    const chargedOffOn = today()
    const recovery = '{ facilityId: "loan_lost", amount: "150.00" }'
    await mutate(`recoverFacility(input: ${recovery}) { state }`)
    await morningOf(bank, addDays(today(), 2))
    await mutate(`writeOffFacility(facilityId: "loan_lost", ${reason}) { state }`)
    await morningOf(bank, addDays(today(), 2))
    const stated = await statement('loan_lost', from)
    expect(kindsOf(stated)).toEqual(['DRAWDOWN', 'INTEREST', 'CHARGE_OFF', 'RECOVERY', 'WRITE_OFF'])
    const [, , chargeOff, recovered, writeOff] = stated.movements
    expect(chargeOff.principal).toBe('-12000.00')
    expect(recovered).toMatchObject({ amount: '150.00', chargedOff: '-150.00' })
    expect(writeOff.amount).toBe(stated.closing.total)
    expect(stated.closing.chargedOff).toBe(stated.closing.total)
    expect(stated.nextInstallment).toBeNull()
    // An older statement has what was due next at that time.
    const before = await statement('loan_lost', from, addDays(chargedOffOn, -1))
    expect(before.nextInstallment).toEqual({ dueDate, payment: { amount: '1032.80' } })
    const unopened = await statement('loan_lost', addDays(from, -9), addDays(from, -1))
    expect(unopened.nextInstallment).toBeNull()
    await expectAsStated(bank, 'loan_lost', 'written off', 5)
    expect((await certificate('loan_lost', 2026)).recovered).toBe('150.00')
  })
})

test('the statement of a revolving limit has its drawdowns and repayments', async () => {
  const from = today()
  await opened(bank, aLimit({ facilityId: 'fac_stated' }))
  await draw(bank, { facilityId: 'fac_stated', amount: '900.00', destination })
  await morningOf(bank, addDays(today(), 9))
  await payBack(bank, { facilityId: 'fac_stated', amount: '400.00' })
  await draw(bank, { facilityId: 'fac_stated', amount: '100.00', destination })
  const stated = await statement('fac_stated', from)
  expect(kindsOf(stated)).toEqual(['DRAWDOWN', 'INTEREST', 'REPAYMENT', 'DRAWDOWN'])
  const { outstandingPrincipal } = await read('fac_stated', 'outstandingPrincipal { amount }')
  expect(stated.closing.principal).toBe(outstandingPrincipal.amount)
  await expectAsStated(bank, 'fac_stated', 'drawn', 4)
})

test('the closing balance of a past day is what the end of that day left', async () => {
  const { dueDate } = await aLentLoan('loan_daily')
  const from = today()
  const closings: [day: string, total: number][] = []
  for (const days of [5, 19, 30, 33, 47]) {
    await morningOf(bank, addDays(dueDate, days - 30))
    const figures = await read(
      'loan_daily',
      `outstandingPrincipal { amount } accruedInterest { amount } interestDue { amount }
       lateFeesDue { amount } defaultInterestDue { amount }`,
    )
    const amounts = Object.values(figures).filter((each) => typeof each === 'object') as any[]
    const total = amounts.reduce((sum, { amount }) => sum + Number(amount), 0)
    closings.push([addDays(today(), -1), total])
  }
  for (const [day, total] of closings) {
    expect(Number((await statement('loan_daily', from, day)).closing.total)).toBeCloseTo(total, 2)
  }
})

describe('The annual certificate', () => {
  test('adds the payments of a calendar year, and becomes final 30 days after it', async () => {
    await morningOf(bank, '2028-11-03')
    const { dueDate } = await aLentLoan('loan_certified')
    expect(dueDate).toBe('2028-12-03')
    await morningOf(bank, dueDate)
    await payBack(bank, { facilityId: 'loan_certified', amount: '1032.80' })
    await morningOf(bank, addDays(dueDate, 29))
    const first = await certificate('loan_certified', 2028)
    expect(first).toMatchObject({ interestPaid: '60.00', feesPaid: '0.00', isFinal: false })
    const closing = (await statement('loan_certified', '2028-11-03', '2028-12-31')).closing
    expect(first.closing).toEqual(closing)
    // Recorded in January, with a date in December.
    await morningOf(bank, '2029-01-20')
    const late = { facilityId: 'loan_certified', amount: '10.00', paymentDate: '2028-12-31' }
    await payBack(bank, late)
    const second = await certificate('loan_certified', 2028)
    expect(Number(second.interestPaid) + Number(second.principalRepaid)).toBeCloseTo(1042.8, 2)
    expect(second.isFinal).toBe(false)
    await morningOf(bank, '2029-01-31')
    expect((await certificate('loan_certified', 2028)).isFinal).toBe(true)
    expect(await certificate('loan_certified', 2028)).toMatchObject({ ...second, isFinal: true })
  })

  test('is refused for a year before the opening and for a future year', async () => {
    for (const year of [2027, 2030]) {
      const { code } = await read('loan_certified', `annualCertificate(year: ${year}) { year }`)
      expect(code).toBe('INVALID_DATE_RANGE')
    }
  })
})

describe('Statements and certificates', () => {
  test.each([
    ['2026-04-03', '2026-04-02'],
    ['2026-04-03', '2027-04-05'],
  ])('refuse the period from %s to %s', async (from, to) => {
    const { code } = await read('loan_stated', `statement(from: "${from}", to: "${to}") { from }`)
    expect(code).toBe('INVALID_DATE_RANGE')
  })

  test('are for the borrower and the bank only', async () => {
    const fields =
      'statement(from: "2026-04-03", to: "2026-04-30") { from } annualCertificate(year: 2026) { year }'
    expect((await read('loan_stated', fields, employee)).annualCertificate).toEqual({ year: 2026 })
    expect(await read('loan_stated', fields, grace)).toEqual({ code: undefined })
    expect((await facilityOf(bank, 'loan_stated')).facilityId).toBe('loan_stated')
  })
})

test('a period with more than 5,000 postings is refused', async () => {
  await bank.rows(
    `insert into ledger.posting_instruction (posting_instruction_id, ordinal, type, status, client_id,
       client_transaction_id, booked_at, value_date, details, digest)
     select 'pin_many_' || n, 0, 'custom', 'accepted', 'bankgraph', 'loan_stated', now(), '2026-05-01', '{}', ''
     from generate_series(1, 5001) n`,
  )
  const { code } = await read(
    'loan_stated',
    'statement(from: "2026-05-01", to: "2026-05-01") { from }',
  )
  expect(code).toBe('LIMIT_EXCEEDED')
})

import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { addDays } from '../../../kernel/domain/dates.ts'
import {
  ada,
  booked,
  eventsOf,
  findings,
  fund,
  morningOf,
  payBack,
  withdraw,
} from './facility-kit.ts'
import { aLenderWithLateCharges, chargesOf, figuresOf, openLateLoan } from './late-loan-kit.ts'

let bank: RunningSubgraph
let facilityId: string
/** The due date of its first installment. */
let dueDate: string
let serial = 0
beforeAll(async () => {
  bank = await aLenderWithLateCharges()
})
afterAll(() => bank.drop())

afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})

/** Opens a loan of 12,000.00 that is paid out. Its first installment has interest of 60.00. */
async function aLateLoan(more: object = {}) {
  facilityId = `loan_late_${++serial}`
  dueDate = await openLateLoan(bank, facilityId, more)
}
beforeEach(() => aLateLoan())

/** Goes to the morning after the end of a day, counted from the due date. */
const closeDay = (days: number) => morningOf(bank, addDays(dueDate, days + 1))

const figures = () => figuresOf(bank, facilityId)
const charges = () => chargesOf(bank, facilityId)
const waive = (installment: number, options: object = { caller: employee }) =>
  bank.execute(
    `mutation ($input: WaiveLateChargesInput!) { waiveLateCharges(input: $input) {
      state lateFeesDue { amount } defaultInterestDue { amount } } }`,
    { input: { facilityId, installment, reason: 'GOODWILL' } },
    options,
  )
const codeOf = ({ errors }: { errors: any[] }) => errors[0]?.extensions?.code

describe('an installment that is not paid', () => {
  test('is charged a fee and default interest after the grace', async () => {
    await closeDay(5)
    expect(await charges()).toEqual(['0.00', '0.00'])
    await closeDay(6)
    // 972.80 × 7.3 % × 6 ÷ 365 = 1.1674
    expect(await charges()).toEqual(['15.00', '1.17'])
    expect(await booked(bank, `loan@${facilityId}`, 'fees')).toBe(1500)
    expect(await booked(bank, `loan@${facilityId}`, 'penalties')).toBe(117)
    await closeDay(9)
    // 9 days: 1.7510; the quote is for the tenth: 1.9456
    expect(await figures()).toMatchObject({
      state: 'IN_ARREARS',
      amountDue: { amount: '1049.55' },
      lateFeesDue: { amount: '15.00' },
      defaultInterestDue: { amount: '1.75' },
      delinquency: { daysPastDue: 10, arrears: { amount: '1049.55' } },
      payoffQuote: { lateCharges: { amount: '16.95' }, due: { amount: '1049.75' } },
      first: { status: 'DUE', paid: '0.00', lateFee: '15.00', defaultInterest: '1.75' },
    })
    const events = await eventsOf(bank, `facility/${facilityId}`)
    expect(events.filter((event) => event === 'late-fee-charged')).toHaveLength(1)
  })

  test('costs nothing if the product has no late charges', async () => {
    await aLateLoan({ productId: null })
    await closeDay(60)
    expect(await charges()).toEqual(['0.00', '0.00'])
    const { data } = await bank.execute(
      `query ($id: ID!) { loan(loanId: $id) { lateCharges { graceDays } } }`,
      { id: facilityId },
    )
    expect(data.loan.lateCharges).toBeNull()
  })

  test('is collected with its charges when the account has the money', async () => {
    await aLateLoan({ settlementArrangementId: 'arr_grace', customerId: 'cus_grace' })
    await closeDay(6)
    expect(await charges()).toEqual(['15.00', '1.17'])
    await fund(bank, 'arr_grace', 104_915n)
    await closeDay(7)
    // One cent is missing for the charge of another day: 1.3620.
    expect(await charges()).toEqual(['15.00', '1.36'])
    await fund(bank, 'arr_grace', 100n)
    await closeDay(8)
    expect(await figures()).toMatchObject({
      state: 'ACTIVE',
      lateFeesDue: { amount: '0.00' },
      defaultInterestDue: { amount: '0.00' },
      first: { status: 'PAID', lateChargesPaid: '16.56', paidOn: addDays(dueDate, 8) },
    })
  })
})

describe('a repayment', () => {
  test('covers the charges first, and shows them', async () => {
    await closeDay(9)
    const { data, errors } = await payBack(bank, { facilityId, amount: '500.00' })
    expect(errors).toEqual([])
    expect(data.repayment.allocations).toEqual([
      { installment: 1, part: 'FEES', amount: '15.00' },
      { installment: 1, part: 'PENALTIES', amount: '1.95' },
      { installment: 1, part: 'INTEREST', amount: '60.00' },
      { installment: 1, part: 'PRINCIPAL', amount: '423.05' },
    ])
    expect((await figures()).first).toMatchObject({
      status: 'PARTLY_PAID',
      paid: '483.05',
      lateChargesPaid: '16.95',
    })
    expect(await charges()).toEqual(['0.00', '0.00'])
  })

  test('that arrived in the grace takes the charges back', async () => {
    await closeDay(9)
    const income = await booked(bank, 'default-interest-income/EUR')
    const paymentDate = addDays(dueDate, 5)
    const input = { facilityId, amount: '1032.80', paymentDate }
    const { data, errors } = await payBack(bank, input, { caller: employee })
    expect(errors).toEqual([])
    expect(data.repayment.allocations.map(({ part }: any) => part)).toEqual([
      'INTEREST',
      'PRINCIPAL',
    ])
    expect((await figures()).first).toMatchObject({ lateFee: '0.00', paidOn: paymentDate })
    expect(await charges()).toEqual(['0.00', '0.00'])
    expect(income - (await booked(bank, 'default-interest-income/EUR'))).toBe(175)
  })

  test('that bounces leaves the charges as if it had never been made', async () => {
    await closeDay(2)
    const paid = await payBack(bank, { facilityId, amount: '1032.80' })
    await closeDay(9)
    expect(await charges()).toEqual(['0.00', '0.00'])
    const { errors } = await withdraw(bank, paid.data.repayment.repaymentId)
    expect(errors).toEqual([])
    expect(await charges()).toEqual(['15.00', '1.95'])
  })
})

describe('a waiver', () => {
  test('ends what is unpaid; default interest goes on', async () => {
    await closeDay(9)
    const { data, errors } = await waive(1)
    expect(errors).toEqual([])
    expect(data.waiveLateCharges).toEqual({
      state: 'IN_ARREARS',
      lateFeesDue: { amount: '0.00' },
      defaultInterestDue: { amount: '0.00' },
    })
    const [event] = await bank.rows(
      `select data from kernel.event where type = 'lending.facility.late-charges-waived'
       and subject = $1`,
      [`facility/${facilityId}`],
    )
    expect(event).toMatchObject({
      data: {
        installment: 1,
        lateFeeMinor: '1500',
        defaultInterestMinor: '195',
        reason: 'goodwill',
      },
    })
    expect(codeOf(await waive(1))).toBe('STATE_CONFLICT')
    await closeDay(19)
    // 19 days are 3.70, of which 1.95 are waived.
    expect(await charges()).toEqual(['0.00', '1.75'])
    expect(codeOf(await waive(2))).toBe('VALIDATION_FAILED')
  })

  test('needs an employee of the bank', async () => {
    await closeDay(9)
    expect(codeOf(await waive(1, {}))).toBe('PERSON_REQUIRED')
    expect(codeOf(await waive(1, { caller: ada }))).toBe('NOT_FOR_DELEGATED_USERS')
    expect(await charges()).toEqual(['15.00', '1.75'])
  })
})

test('a charge-off removes the charges with the loan', async () => {
  await closeDay(100)
  const [fees, interest] = await charges()
  expect(Number(fees)).toBe(60)
  expect(Number(interest)).toBeGreaterThan(30)
  const { data, errors } = await bank.execute(
    `mutation ($id: ID!) { chargeOffFacility(facilityId: $id) {
      state chargedOff { amount } lateFeesDue { amount } defaultInterestDue { amount } } }`,
    { id: facilityId },
    { caller: employee },
  )
  expect(errors).toEqual([])
  expect(data.chargeOffFacility).toMatchObject({
    state: 'CHARGED_OFF',
    lateFeesDue: { amount: '0.00' },
    defaultInterestDue: { amount: '0.00' },
  })
  const loss = await booked(bank, 'loan-losses/EUR')
  expect((loss / 100).toFixed(2)).toBe(data.chargeOffFacility.chargedOff.amount)
  for (const address of ['principal', 'accrued', 'interest-due', 'fees', 'penalties']) {
    expect(await booked(bank, `loan@${facilityId}`, address)).toBe(0)
  }
})

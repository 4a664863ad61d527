import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const document = `query ($loan: RepaymentScheduleInput!, $flows: AnnualPercentageRateInput!) {
  repaymentSchedule(input: $loan) { installments { payment } totalInterest totalPayment }
  annualPercentageRate(input: $flows) { percent } }`
const loan = {
  annualRatePercent: '6',
  disbursements: [{ on: '2026-01-01', amount: '12000.00' }],
  installments: 12,
  holidays: [{ fromInstallment: 4, installments: 2 }],
}
const flows = {
  advances: [{ amount: '1000', period: '0' }],
  payments: [{ amount: '1100', period: '12' }],
  unitPeriodsPerYear: '12',
}

test('omitted inputs take the defaults of the schema, through the gateway too', async () => {
  const { status, body } = await bank.graph(document, { loan, flows })
  expect([status, body.errors]).toEqual([200, undefined])
  // The default holiday is full, defers interest and extends the term.
  expect(body.data.repaymentSchedule).toMatchObject({ totalInterest: '484.24' })
  expect(body.data.repaymentSchedule.installments[5]).toEqual({ payment: '1123.46' })
  expect(body.data.annualPercentageRate).toEqual({ percent: '10.000000' })
})

test('literal values are read like variables', async () => {
  const written = `{ repaymentSchedule(input: { annualRatePercent: "24", installments: 4, frequency: WEEKLY,
    dayCount: ACT_364, disbursements: [{ on: "2024-01-01", amount: "10000.00" }],
    extraPayments: [{ on: "2024-01-15", amount: "1471.09", strategy: REDUCE_INSTALLMENT }] }) {
    installments { payment } } }`
  const { body } = await bank.graph(written)
  const payments = body.data.repaymentSchedule.installments.map(
    ({ payment }: { payment: string }) => payment,
  )
  expect(payments).toEqual(['2528.91', '2528.91', '1788.27', '1788.27'])
})

test('validation errors point to the input', async () => {
  const { body } = await bank.graph(document, { loan: { ...loan, installments: 0 }, flows })
  expect(body.errors[0].extensions).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ pointer: '/loan/installments', code: 'OUT_OF_RANGE' }],
  })
})

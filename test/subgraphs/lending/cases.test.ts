import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal } from 'decimal.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../../kernel/environment/root.ts'
import { aLendingSubgraph, type RunningLending } from './kit.ts'

/** Published computations; each names its source. Regular payments are given as runs. */
interface LoanCase {
  id: string
  source: string
  note?: string
  calculator: 'repaymentSchedule' | 'annualPercentageRate'
  input: object
  payments?: { amount: string; first: string; count: number }[]
  expected: {
    /** Payment, interest, principal, balance; null where the source gives no value. */
    rows?: (string | null)[][]
    totalInterest?: string
    percent?: string
  }
}

const cases = JSON.parse(
  readFileSync(join(projectRoot, 'test', 'data', 'loan-cases.json'), 'utf8'),
) as LoanCase[]
const about = ({ id, note }: LoanCase) => [`${id} ${note ?? ''}`.trim(), id] as const
const named = (calculator: LoanCase['calculator']) =>
  cases.filter((it) => it.calculator === calculator).map(about)
const caseOf = (id: string) => cases.find((it) => it.id === id)!
const same = (amount: string, expected: string) => new Decimal(amount).eq(expected)

let lending: RunningLending
beforeAll(async () => {
  lending = await aLendingSubgraph()
})
afterAll(() => lending.drop())

test('covers every published case', () => {
  expect(named('repaymentSchedule')).toHaveLength(21)
  expect(named('annualPercentageRate')).toHaveLength(14)
})

describe('published repayment schedules', () => {
  test.each(named('repaymentSchedule'))('%s', async (_about, id) => {
    const { input, expected } = caseOf(id)
    const { data, errors } = await lending.previewSchedule(input)
    expect(errors).toEqual([])
    const { installments, totalInterest } = data.repaymentSchedule
    const rows = installments.map((it: Record<string, string>) =>
      [it['payment'], it['interest'], it['principal'], it['balance']].map(String),
    )
    const agreed = expected.rows!.map((row, place) =>
      row.map((amount, column) => {
        const got = rows[place]?.[column]
        return amount === null || (got !== undefined && same(got, amount)) ? got : amount
      }),
    )
    expect(rows).toEqual(agreed)
    if (expected.totalInterest) expect(totalInterest).toBe(expected.totalInterest)
  })
})

describe('published annual percentage rates', () => {
  test.each(named('annualPercentageRate'))('%s', async (_about, id) => {
    const { input, payments, expected } = caseOf(id)
    const flows = payments!.flatMap(({ amount, first, count }) =>
      Array.from({ length: count }, (_, place) => ({
        amount,
        period: new Decimal(first).plus(place).toString(),
      })),
    )
    const { data, errors } = await lending.previewRate({ ...input, payments: flows })
    expect(errors).toEqual([])
    const { percent } = data.annualPercentageRate
    expect(percent).toMatch(/^\d+\.\d{6}$/)
    const decimals = expected.percent!.split('.')[1]!.length
    expect(new Decimal(percent).toFixed(decimals)).toBe(expected.percent)
  })
})

test('an extra payment with an installment leaves the balance of the published case', async () => {
  const { data } = await lending.previewSchedule(caseOf('F18 after').input)
  const second = data.repaymentSchedule.installments[1]
  expect(new Decimal(second.payment).plus('1471.09').toFixed(2)).toBe('4000.00')
  expect(new Decimal(second.balance).minus('1471.09').toFixed(2)).toBe('3551.93')
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal } from 'decimal.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../../kernel/environment/root.ts'
import { rateOf, type Flow } from '../../../subgraphs/lending/domain/pricing/apr.ts'
import type { Loan, LoanTerms, Schedule } from '../../../subgraphs/lending/domain/schedules/loan.ts'
import { ofPercent } from '../../../kernel/domain/rational.ts'
import {
  scheduleFor,
  type ScheduleRequest,
} from '../../../subgraphs/lending/domain/schedules/schedule-request.ts'
import { aLoan, anyAnnuity, growthOf, lines, numRuns, schedule, sum } from './kit.ts'

interface PublishedCase {
  id: string
  input: ScheduleRequest
  expected: { rows: (string | null)[][] }
}

const published = (
  JSON.parse(
    readFileSync(join(projectRoot, 'test', 'data', 'loan-cases.json'), 'utf8'),
  ) as PublishedCase[]
).filter(({ id }) => ['F15b', 'F15c'].includes(id))

const minor = (amount: string | null) =>
  amount === null ? null : BigInt(new Decimal(amount).times(100).toFixed(0))

test.each(published.map((it) => [it.id, it] as const))(
  'matches the schedule that Apache Fineract publishes: %s',
  (_id, { input, expected }) => {
    const request = {
      ...input,
      method: 'annuity',
      frequency: 'monthly',
      dayCount: 'thirty-360',
    } as const
    const { installments } = scheduleFor(request)
    const rows = installments.map((line, place) =>
      [line.paymentMinor, line.interestMinor, line.principalMinor, line.balanceMinor].map(
        (amount, column) => (expected.rows[place]![column] === null ? null : amount),
      ),
    )
    expect(rows).toEqual(expected.rows.map((row) => row.map(minor)))
    expect(published).toHaveLength(2)
  },
)

test('interest grace pays the published interest: none, none, then 1.44 in the third installment', () => {
  const loan = aLoan(
    { annualRate: ofPercent('7'), installments: 6, interestGrace: 2 },
    { disbursements: [{ on: '2026-01-01', amountMinor: 10_000n }] },
  )
  const { installments, totalInterestMinor } = schedule(loan)
  const paid = installments.map(({ paymentMinor, principalMinor }) => paymentMinor - principalMinor)
  expect(paid).toEqual([0n, 0n, 144n, 29n, 20n, 10n])
  expect(totalInterestMinor).toBe(203n)
})

const of = (terms: Partial<LoanTerms>) => schedule(aLoan(terms))

describe('interest grace: 12,000.00 at 6% over a year', () => {
  test('pays equal installments from the start, all principal during the grace period', () => {
    const table = of({ interestGrace: 2 })
    expect(lines(table).slice(0, 3)).toEqual([
      '1: 103272 6000 103272 1096728',
      '2: 103272 5484 103272 993456',
      '3: 103272 4967 86821 906635',
    ])
    expect(lines(table).at(-1)).toBe('12: 103276 514 102762 0')
  })

  test('other methods pay the deferred interest with the first installment after the grace period', () => {
    const payments = (method: LoanTerms['method']) =>
      of({ method, interestGrace: 2 }).installments.map(({ paymentMinor }) => paymentMinor)
    expect(payments('equal-principal').slice(0, 3)).toEqual([100_000n, 100_000n, 116_500n])
    expect(payments('interest-only').slice(0, 4)).toEqual([0n, 0n, 18_000n, 6000n])
    expect(payments('flat').slice(0, 4)).toEqual([100_000n, 100_000n, 118_000n, 106_000n])
  })

  test('with principal grace too, pays nothing and then equal installments', () => {
    const { installments } = of({ interestGrace: 2, principalGrace: 2 })
    const [first, second, third, fourth] = installments.map(({ paymentMinor }) => paymentMinor)
    expect([first, second, third]).toEqual([0n, 0n, fourth])
    expect(installments[2]!.principalMinor).toBe(third! - 18_000n)
  })

  test('lowers the annual percentage rate', () => {
    const rateWith = (interestGrace: number) => {
      const loan = aLoan({ interestGrace })
      return rateOf(flowsOf(loan, schedule(loan)))!.toNumber()
    }
    expect(rateWith(0)).toBeCloseTo(0.005, 6)
    expect(rateWith(2)).toBeLessThan(rateWith(0))
    expect(rateWith(4)).toBeLessThan(rateWith(2))
  })

  test('still leaves the balloon for the last installment', () => {
    const { installments } = of({ method: 'balloon', balloonMinor: 600_000n, interestGrace: 2 })
    const [level, last] = [installments[0]!, installments.at(-1)!]
    expect(level.principalMinor).toBe(level.paymentMinor)
    expect(Math.abs(Number(last.paymentMinor - level.paymentMinor - 600_000n))).toBeLessThan(13)
  })

  test('an extra payment pays the deferred interest first', () => {
    const { installments } = schedule(
      aLoan(
        { interestGrace: 2 },
        {
          extraPayments: [
            { on: '2026-03-01', amountMinor: 11_484n + 50_000n, strategy: 'reduce-term' },
          ],
        },
      ),
    )
    const third = installments[2]!
    expect(third.interestMinor).toBe(4717n)
    expect(third.paymentMinor - third.principalMinor).toBe(4717n)
  })
})

test('interest grace over 20 years keeps installments equal and pays deferred interest within them', () => {
  const loan = aLoan(
    { annualRate: ofPercent('4.8'), installments: 240, interestGrace: 6 },
    { disbursements: [{ on: '2026-01-01', amountMinor: 20_000_000n }] },
  )
  const { installments } = schedule(loan)
  const level = installments[0]!.paymentMinor
  expect(installments.slice(0, -1).every(({ paymentMinor }) => paymentMinor === level)).toBe(true)
  expect(installments[6]!.principalMinor).toBe(0n)
  const off = Math.abs(Number(installments.at(-1)!.paymentMinor - level))
  expect(off).toBeLessThanOrEqual(240 * growthOf(loan))
})

const anyGrace = fc
  .tuple(anyAnnuity, fc.integer({ min: 1, max: 4 }))
  .map(([loan, interestGrace]): Loan => ({ ...loan, terms: { ...loan.terms, interestGrace } }))

const flowsOf = (loan: Loan, { installments }: Schedule): Flow[] => {
  const flow = (amount: bigint, units: number): Flow => ({
    amount: new Decimal(String(amount)),
    units: new Decimal(units),
    odd: new Decimal(0),
  })
  const lent = sum(loan.disbursements.map(({ amountMinor }) => amountMinor))
  return [
    flow(lent, 0),
    ...installments.map(({ number, paymentMinor }) => flow(-paymentMinor, number)),
  ]
}

describe('any annuity with interest grace', () => {
  const options = { numRuns: Math.ceil(numRuns / 4) }

  test('repays the disbursed amount, the deferred interest and the regular interest', () => {
    fc.assert(
      fc.property(anyGrace, (loan) => {
        const { installments, totalInterestMinor, totalPaymentMinor } = schedule(loan)
        const { interestGrace } = loan.terms
        const lent = sum(loan.disbursements.map(({ amountMinor }) => amountMinor))
        expect(sum(installments.map(({ principalMinor }) => principalMinor))).toBe(lent)
        expect(installments.at(-1)!.balanceMinor).toBe(0n)
        const paid = installments.map((line) => line.paymentMinor - line.principalMinor)
        expect(paid.slice(0, interestGrace).every((interest) => interest === 0n)).toBe(true)
        const accrued = installments.map(({ interestMinor }) => interestMinor)
        const deferred = sum(accrued.slice(0, interestGrace))
        expect(sum(paid)).toBe(deferred + sum(accrued.slice(interestGrace)))
        expect(totalInterestMinor).toBe(sum(paid))
        expect(totalPaymentMinor).toBe(lent + totalInterestMinor)
      }),
      options,
    )
  })

  test('pays equal installments while principal is left, and the last one differs by rounding only', () => {
    fc.assert(
      fc.property(anyGrace, (loan) => {
        const { installments } = schedule(loan)
        const { interestGrace } = loan.terms
        // When the principal is repaid within the grace period, later installments are not equal.
        if (installments[interestGrace - 1]!.balanceMinor === 0n) return
        const level = installments[0]!.paymentMinor
        const earlier = installments.slice(0, -1)
        expect(earlier.every(({ paymentMinor }) => paymentMinor === level)).toBe(true)
        const off = Math.abs(Number(installments.at(-1)!.paymentMinor - level))
        expect(off).toBeLessThanOrEqual(loan.terms.installments * growthOf(loan))
      }),
      options,
    )
  })

  test('costs no more interest than without grace, and payments discounted at its rate equal the loan', () => {
    fc.assert(
      fc.property(anyGrace, (loan) => {
        const plain = { ...loan, terms: { ...loan.terms, interestGrace: 0 } }
        const [graced, base] = [schedule(loan), schedule(plain)]
        const rounding = BigInt(Math.ceil(loan.terms.installments * growthOf(loan)))
        expect(graced.totalInterestMinor <= base.totalInterestMinor + rounding).toBe(true)
        const flows = flowsOf(loan, graced)
        const rate = rateOf(flows)!
        const value = flows.reduce(
          (total, { amount, units }) => total.plus(amount.div(rate.plus(1).pow(units))),
          new Decimal(0),
        )
        expect(value.abs().toNumber()).toBeLessThan(0.01)
      }),
      options,
    )
  })
})

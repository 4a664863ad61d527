import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDate } from '../../../kernel/domain/day-count.ts'
import type { Loan, Reduction } from '../../../subgraphs/lending/domain/schedules/loan.ts'
import { policyOf } from '../../../subgraphs/lending/domain/facilities/product-policy.ts'
import { aLoan, anyLoan, dueDay, lines, numRuns, schedule, sum } from './kit.ts'

const options = { numRuns: Math.ceil(numRuns / 4) }
const longer = anyLoan.filter(({ terms }) => terms.installments >= 4)

/** A reduction that ends before the last installment. */
const reductionOf = (loan: Loan, from: number, count: number, share: number, isAdded: boolean) => {
  const { installments } = loan.terms
  const fromInstallment = 1 + (from % (installments - 2))
  const { amountMinor } = loan.disbursements[0]!
  return {
    fromInstallment,
    installments: 1 + (count % (installments - fromInstallment - 1 || 1)),
    amountMinor: (amountMinor * BigInt(share)) / 1000n + 1n,
    interest: isAdded ? 'capitalise' : 'defer',
  } satisfies Reduction
}

describe('reduction of installments', () => {
  test('pays at most the reduced amount, and all amounts still add up', () => {
    fc.assert(
      fc.property(longer, fc.nat(60), fc.nat(60), fc.nat(300), fc.boolean(), (loan, ...drawn) => {
        const reduction = reductionOf(loan, ...drawn)
        const reduced = schedule({ ...loan, reductions: [reduction] })
        const { installments, totalInterestMinor, totalPaymentMinor } = reduced
        const { fromInstallment, installments: count, amountMinor } = reduction
        const within = installments.slice(fromInstallment - 1, fromInstallment - 1 + count)
        expect(within.every(({ paymentMinor }) => paymentMinor <= amountMinor)).toBe(true)
        const disbursed = sum(loan.disbursements.map((each) => each.amountMinor))
        expect(sum(installments.map(({ principalMinor }) => principalMinor))).toBe(disbursed)
        expect(totalPaymentMinor).toBe(disbursed + totalInterestMinor)
        expect(installments.at(-1)!.balanceMinor).toBe(0n)
        expect(installments.every(({ paymentMinor }) => paymentMinor >= 0n)).toBe(true)
      }),
      options,
    )
  })

  test('to more than the installment changes nothing', () => {
    const reductions: Reduction[] = [
      { fromInstallment: 3, installments: 2, amountMinor: 10n ** 9n, interest: 'defer' },
    ]
    expect(lines(schedule(aLoan({}, { reductions })))).toEqual(lines(schedule(aLoan())))
  })

  test.each([0, 1])('is rejected when no installment follows it', (more) => {
    const reductions: Reduction[] = [
      { fromInstallment: 3, installments: 10 + more, amountMinor: 1000n, interest: 'defer' },
    ]
    expect(() => schedule(aLoan({}, { reductions }))).toThrow(/ends on/)
  })
})

describe('term extension', () => {
  test('adds its installments and keeps those before it', () => {
    fc.assert(
      fc.property(longer, fc.nat(60), fc.integer({ min: 1, max: 40 }), (loan, at, installments) => {
        const number = 1 + (at % (loan.terms.installments - 1))
        const on = toDate(dueDay(loan, number))
        const before = schedule(loan).installments
        const after = schedule({ ...loan, extensions: [{ on, installments }] }).installments
        expect(after).toHaveLength(before.length + installments)
        expect(after.slice(0, number)).toEqual(before.slice(0, number))
        expect(after.at(-1)!.balanceMinor).toBe(0n)
        const [was, is] = [before, after].map((all) => sum(all.map((line) => line.principalMinor)))
        expect(is).toBe(was)
      }),
      options,
    )
  })
})

test('relief policy comes from the parameters of the product version, with defaults for the rest', () => {
  const version = (name: string, status: string, parameters: Record<string, string | null>) => ({
    version: name,
    status,
    parameters: Object.entries(parameters).map(([each, value]) => ({ name: each, default: value })),
  })
  const versions = [
    version('1', 'superseded', { holidaysPerYear: '9', isHolidayApprovalRequired: 'true' }),
    version('2', 'active', { holidaysPerYear: '-1', extraPaymentStrategy: 'nonsense' }),
  ]
  expect(policyOf(versions, '1')).toMatchObject({
    holidaysPerYear: 9,
    isHolidayApprovalRequired: true,
  })
  expect(policyOf(versions, null)).toMatchObject({
    holidaysPerYear: 3,
    isHolidayApprovalRequired: false,
    extraPaymentStrategy: null,
  })
  expect(policyOf([], '1').hardshipDecisionDays).toBe(21)
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDate } from '../../../subgraphs/lending/domain/calendar.ts'
import type { Loan, Reduction } from '../../../subgraphs/lending/domain/loan.ts'
import { policyOf } from '../../../subgraphs/lending/domain/relief-policy.ts'
import { aLoan, anyLoan, dueDay, lines, numRuns, schedule, sum } from './kit.ts'

const options = { numRuns: Math.ceil(numRuns / 4) }
const longer = anyLoan.filter(({ terms }) => terms.instalments >= 4)

/** A reduction that ends before the last instalment does. */
const reductionOf = (loan: Loan, from: number, count: number, share: number, isAdded: boolean) => {
  const { instalments } = loan.terms
  const fromInstalment = 1 + (from % (instalments - 2))
  const { amountMinor } = loan.disbursements[0]!
  return {
    fromInstalment,
    instalments: 1 + (count % (instalments - fromInstalment - 1 || 1)),
    amountMinor: (amountMinor * BigInt(share)) / 1000n + 1n,
    interest: isAdded ? 'capitalise' : 'defer',
  } satisfies Reduction
}

describe('a reduction', () => {
  test('pays no more than it says, and money is neither made nor lost', () => {
    fc.assert(
      fc.property(longer, fc.nat(60), fc.nat(60), fc.nat(300), fc.boolean(), (loan, ...drawn) => {
        const reduction = reductionOf(loan, ...drawn)
        const reduced = schedule({ ...loan, reductions: [reduction] })
        const { instalments, totalInterestMinor, totalPaymentMinor } = reduced
        const { fromInstalment, instalments: count, amountMinor } = reduction
        const within = instalments.slice(fromInstalment - 1, fromInstalment - 1 + count)
        expect(within.every(({ paymentMinor }) => paymentMinor <= amountMinor)).toBe(true)
        const disbursed = sum(loan.disbursements.map((each) => each.amountMinor))
        expect(sum(instalments.map(({ principalMinor }) => principalMinor))).toBe(disbursed)
        expect(totalPaymentMinor).toBe(disbursed + totalInterestMinor)
        expect(instalments.at(-1)!.balanceMinor).toBe(0n)
        expect(instalments.every(({ paymentMinor }) => paymentMinor >= 0n)).toBe(true)
      }),
      options,
    )
  })

  test('of more than the instalment changes nothing', () => {
    const reductions: Reduction[] = [
      { fromInstalment: 3, instalments: 2, amountMinor: 10n ** 9n, interest: 'defer' },
    ]
    expect(lines(schedule(aLoan({}, { reductions })))).toEqual(lines(schedule(aLoan())))
  })

  test.each([0, 1])('that leaves no instalment after it is refused', (more) => {
    const reductions: Reduction[] = [
      { fromInstalment: 3, instalments: 10 + more, amountMinor: 1000n, interest: 'defer' },
    ]
    expect(() => schedule(aLoan({}, { reductions }))).toThrow(/ends on/)
  })
})

describe('a term extension', () => {
  test('adds its instalments and leaves those before it', () => {
    fc.assert(
      fc.property(longer, fc.nat(60), fc.integer({ min: 1, max: 40 }), (loan, at, instalments) => {
        const number = 1 + (at % (loan.terms.instalments - 1))
        const on = toDate(dueDay(loan, number))
        const before = schedule(loan).instalments
        const after = schedule({ ...loan, extensions: [{ on, instalments }] }).instalments
        expect(after).toHaveLength(before.length + instalments)
        expect(after.slice(0, number)).toEqual(before.slice(0, number))
        expect(after.at(-1)!.balanceMinor).toBe(0n)
        const [was, is] = [before, after].map((all) => sum(all.map((line) => line.principalMinor)))
        expect(is).toBe(was)
      }),
      options,
    )
  })
})

test('a policy is the parameters of the version, and defaults for what they do not say', () => {
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

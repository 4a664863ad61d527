import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDate } from '../../../subgraphs/lending/domain/calendar.ts'
import {
  holidayTypes,
  interestTreatments,
  termTreatments,
} from '../../../subgraphs/lending/domain/loan.ts'
import type {
  ExtraPayment,
  ExtraPaymentStrategy,
  Loan,
} from '../../../subgraphs/lending/domain/loan.ts'
import { Problem } from '../../../subgraphs/_kernel/domain/problem.ts'
import { anyAnnuity, anyLoan, dueDay, growthOf, numRuns, schedule, sum } from './kit.ts'

const options = { numRuns }
const disbursed = (loan: Loan) => sum(loan.disbursements.map(({ amountMinor }) => amountMinor))
const withExtra = (loan: Loan, ...extraPayments: ExtraPayment[]) => ({ ...loan, extraPayments })

/** What rounding each instalment and its interest can come to at the end: n · (1 + r)ⁿ. */
const roundingOf = (loan: Loan) => loan.terms.instalments * growthOf(loan)

/** Money is neither made nor lost, whatever happens. */
function expectSound(loan: Loan) {
  const { instalments, totalInterestMinor, totalPaymentMinor } = schedule(loan)
  expect(instalments.at(-1)!.balanceMinor).toBe(0n)
  expect(totalPaymentMinor).toBe(disbursed(loan) + totalInterestMinor)
  expect(totalInterestMinor).toBe(sum(instalments.map(({ interestMinor }) => interestMinor)))
  for (const { interestMinor, paymentMinor, balanceMinor } of instalments) {
    expect(interestMinor >= 0n && paymentMinor >= 0n && balanceMinor >= 0n).toBe(true)
  }
  expect(instalments.map(({ number }) => number)).toEqual(instalments.map((_, place) => place + 1))
}

describe('any loan', () => {
  test('repays what was disbursed, and interest', () => {
    fc.assert(
      fc.property(anyLoan, (loan) => {
        expectSound(loan)
        const { instalments } = schedule(loan)
        expect(instalments).toHaveLength(loan.terms.instalments)
        expect(sum(instalments.map(({ principalMinor }) => principalMinor))).toBe(disbursed(loan))
      }),
      options,
    )
  })

  test('of equal instalments ends with one that rounding alone sets off', () => {
    fc.assert(
      fc.property(anyAnnuity, (loan) => {
        const { instalments } = schedule(loan)
        const [last, equal] = [instalments.at(-1)!, instalments[0]!]
        const off = Math.abs(Number(last.paymentMinor - equal.paymentMinor))
        expect(off).toBeLessThanOrEqual(roundingOf(loan))
        const earlier = instalments.slice(0, -1)
        expect(earlier.every((line) => line.paymentMinor === equal.paymentMinor)).toBe(true)
      }),
      options,
    )
  })

  test('stays sound through drawdowns, rates, holidays and payments', () => {
    fc.assert(
      fc.property(anyLoan, fc.array(fc.nat(), { minLength: 10, maxLength: 10 }), (loan, dice) => {
        const eventful = withEvents(loan, dice)
        try {
          expectSound(eventful)
        } catch (error) {
          // What cannot be is refused, and nothing else is thrown.
          if (!(error instanceof Problem)) throw error
          expect(error.code).toBe('VALIDATION_FAILED')
          expect(error.members.errors!.every(({ pointer }) => pointer!.startsWith('/'))).toBe(true)
        }
      }),
      options,
    )
  })
})

function withEvents(loan: Loan, dice: number[]): Loan {
  const [at, paidAt, pausedAt, kind, ...rest] = dice as [
    number,
    number,
    number,
    number,
    ...number[],
  ]
  const days = dueDay(loan, loan.terms.instalments) - dueDay(loan, 0)
  const on = (die: number) => toDate(dueDay(loan, 0) + (die % days))
  const owed = disbursed(loan)
  const strategies = ['reduce-instalment', 'reduce-term', 'prepay-next', 'payoff'] as const
  return {
    ...loan,
    disbursements: [...loan.disbursements, { on: on(at), amountMinor: owed / 3n }],
    rateChanges: [{ from: on(rest[0]!), annualRate: { num: BigInt(rest[1]! % 20), den: 100n } }],
    extraPayments: [
      {
        on: on(paidAt),
        amountMinor: (owed * BigInt(1 + (rest[2]! % 20))) / 100n,
        strategy: strategies[kind % strategies.length]!,
      },
    ],
    holidays: [
      {
        fromInstalment: 1 + (pausedAt % loan.terms.instalments),
        instalments: 1 + (rest[3]! % 4),
        type: holidayTypes[rest[4]! % 2]!,
        interest: interestTreatments[rest[5]! % 3]!,
        term: termTreatments[kind % 3]!,
      },
    ],
  }
}

describe('extra payments', () => {
  const anyExtra = fc.record({ at: fc.nat(), percent: fc.bigInt(1n, 40n), isDueDate: fc.boolean() })
  type Extra = { at: number; percent: bigint; isDueDate: boolean }
  const extraFor = (
    loan: Loan,
    { at, percent, isDueDate }: Extra,
    strategy: ExtraPaymentStrategy,
  ) => {
    const number = 1 + (at % 4)
    const into = isDueDate ? 0 : (at >> 3) % (dueDay(loan, number + 1) - dueDay(loan, number))
    const { balanceMinor } = schedule(loan).instalments[number - 1]!
    const on = toDate(dueDay(loan, number) + into)
    return { on, amountMinor: (balanceMinor * percent) / 100n, strategy }
  }

  test('save interest, an earlier end the most', () => {
    fc.assert(
      fc.property(anyAnnuity, anyExtra, (loan, extra) => {
        const [shorter, lower, next] = (
          ['reduce-term', 'reduce-instalment', 'prepay-next'] as const
        ).map(
          (strategy) =>
            schedule(withExtra(loan, extraFor(loan, extra, strategy))).totalInterestMinor,
        )
        expect(shorter! <= lower!).toBe(true)
        const most = Number(schedule(loan).totalInterestMinor) + 2 * roundingOf(loan)
        for (const cost of [shorter, lower, next]) expect(Number(cost)).toBeLessThanOrEqual(most)
      }),
      options,
    )
  })

  test('of nothing change nothing; two on a day are one of their sum', () => {
    fc.assert(
      fc.property(
        anyAnnuity,
        anyExtra,
        fc.constantFrom('reduce-term', 'reduce-instalment', 'prepay-next'),
        (loan, extra, strategy) => {
          const whole = extraFor(loan, extra, strategy)
          const nothing = { ...whole, amountMinor: 0n }
          expect(schedule(withExtra(loan, nothing))).toEqual(schedule(loan))
          const part = whole.amountMinor / 3n
          const parts = [part, whole.amountMinor - part].map((amountMinor) => ({
            ...whole,
            amountMinor,
          }))
          expect(schedule(withExtra(loan, ...parts))).toEqual(schedule(withExtra(loan, whole)))
        },
      ),
      options,
    )
  })
})

describe('payment holidays', () => {
  test('cost interest, unless it is waived', () => {
    fc.assert(
      fc.property(
        anyAnnuity,
        fc.record({
          fromInstalment: fc.integer({ min: 1, max: 4 }),
          instalments: fc.integer({ min: 1, max: 2 }),
          type: fc.constantFrom(...holidayTypes),
          interest: fc.constantFrom('capitalise', 'defer'),
          term: fc.constantFrom('extend', 'keep-maturity'),
        } as const),
        (loan, holiday) => {
          const paused = schedule({ ...loan, holidays: [holiday] })
          const base = schedule(loan)
          const least = Number(base.totalInterestMinor) - 2 * roundingOf(loan)
          expect(Number(paused.totalInterestMinor)).toBeGreaterThanOrEqual(least)
          const grows = holiday.term === 'extend' ? holiday.instalments : 0
          expect(paused.instalments).toHaveLength(base.instalments.length + grows)
        },
      ),
      options,
    )
  })
})

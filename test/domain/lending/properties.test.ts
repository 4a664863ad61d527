import {
  HolidayType,
  InterestTreatment,
  TermTreatment,
  type ExtraPaymentStrategy,
} from '../../../subgraphs/lending/model/schedules/enumerations.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDate } from '../../../kernel/domain/day-count.ts'

import type { ExtraPayment, Loan } from '../../../subgraphs/lending/domain/schedules/loan.ts'
import { Problem } from '../../../kernel/domain/problem.ts'
import { anyAnnuity, anyLoan, dueDay, growthOf, numRuns, schedule, sum } from './kit.ts'

const options = { numRuns }
const disbursed = (loan: Loan) => sum(loan.disbursements.map(({ amountMinor }) => amountMinor))
const withExtra = (loan: Loan, ...extraPayments: ExtraPayment[]) => ({ ...loan, extraPayments })

/** An upper bound for the rounding of all installments and their interest at the end: n · (1 + r)ⁿ. */
const roundingOf = (loan: Loan) => loan.terms.installments * growthOf(loan)

/** Amounts add up and are never negative, whatever happened to the loan. */
function expectSound(loan: Loan) {
  const { installments, totalInterestMinor, totalPaymentMinor } = schedule(loan)
  expect(installments.at(-1)!.balanceMinor).toBe(0n)
  expect(totalPaymentMinor).toBe(disbursed(loan) + totalInterestMinor)
  expect(totalInterestMinor).toBe(sum(installments.map(({ interestMinor }) => interestMinor)))
  for (const { interestMinor, paymentMinor, balanceMinor } of installments) {
    expect(interestMinor >= 0n && paymentMinor >= 0n && balanceMinor >= 0n).toBe(true)
  }
  expect(installments.map(({ number }) => number)).toEqual(
    installments.map((_, place) => place + 1),
  )
}

describe('any loan', () => {
  test('repays the disbursed amount and interest', () => {
    fc.assert(
      fc.property(anyLoan, (loan) => {
        expectSound(loan)
        const { installments } = schedule(loan)
        expect(installments).toHaveLength(loan.terms.installments)
        expect(sum(installments.map(({ principalMinor }) => principalMinor))).toBe(disbursed(loan))
      }),
      options,
    )
  })

  test('with equal installments has a last one that differs by rounding only', () => {
    fc.assert(
      fc.property(anyAnnuity, (loan) => {
        const { installments } = schedule(loan)
        const [last, equal] = [installments.at(-1)!, installments[0]!]
        const off = Math.abs(Number(last.paymentMinor - equal.paymentMinor))
        expect(off).toBeLessThanOrEqual(roundingOf(loan))
        const earlier = installments.slice(0, -1)
        expect(earlier.every((line) => line.paymentMinor === equal.paymentMinor)).toBe(true)
      }),
      options,
    )
  })

  test('stays consistent through drawdowns, rate changes, holidays and extra payments', () => {
    fc.assert(
      fc.property(anyLoan, fc.array(fc.nat(), { minLength: 10, maxLength: 10 }), (loan, dice) => {
        const eventful = withEvents(loan, dice)
        try {
          expectSound(eventful)
        } catch (error) {
          // Impossible combinations are rejected; nothing else is thrown.
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
  const days = dueDay(loan, loan.terms.installments) - dueDay(loan, 0)
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
        fromInstallment: 1 + (pausedAt % loan.terms.installments),
        installments: 1 + (rest[3]! % 4),
        type: HolidayType.values[rest[4]! % 2]!,
        interest: InterestTreatment.values[rest[5]! % 3]!,
        term: TermTreatment.values[kind % 3]!,
      },
    ],
  }
}

describe('extra payments on any loan', () => {
  const anyExtra = fc.record({ at: fc.nat(), percent: fc.bigInt(1n, 40n), isDueDate: fc.boolean() })
  type Extra = { at: number; percent: bigint; isDueDate: boolean }
  const extraFor = (
    loan: Loan,
    { at, percent, isDueDate }: Extra,
    strategy: ExtraPaymentStrategy,
  ) => {
    const number = 1 + (at % 4)
    const into = isDueDate ? 0 : (at >> 3) % (dueDay(loan, number + 1) - dueDay(loan, number))
    const { balanceMinor } = schedule(loan).installments[number - 1]!
    const on = toDate(dueDay(loan, number) + into)
    return { on, amountMinor: (balanceMinor * percent) / 100n, strategy }
  }

  test('save interest, and reduce-term saves at least as much as the other strategies', () => {
    fc.assert(
      fc.property(anyAnnuity, anyExtra, (loan, extra) => {
        const [shorter, lower, next] = (
          ['reduce-term', 'reduce-instalment', 'prepay-next'] as const
        ).map(
          (strategy) =>
            schedule(withExtra(loan, extraFor(loan, extra, strategy))).totalInterestMinor,
        )
        expect(shorter! <= lower!).toBe(true)
        expect(shorter! <= next!).toBe(true)
        const limit = Number(schedule(loan).totalInterestMinor) + 2 * roundingOf(loan)
        for (const cost of [shorter, lower, next]) expect(Number(cost)).toBeLessThanOrEqual(limit)
      }),
      options,
    )
  })

  test('of zero change nothing, and two on one day equal one of their sum', () => {
    fc.assert(
      fc.property(
        anyAnnuity,
        anyExtra,
        fc.constantFrom('reduce-term', 'reduce-instalment', 'prepay-next'),
        (loan, extra, strategy) => {
          const complete = extraFor(loan, extra, strategy)
          const nothing = { ...complete, amountMinor: 0n }
          expect(schedule(withExtra(loan, nothing))).toEqual(schedule(loan))
          const part = complete.amountMinor / 3n
          const parts = [part, complete.amountMinor - part].map((amountMinor) => ({
            ...complete,
            amountMinor,
          }))
          expect(schedule(withExtra(loan, ...parts))).toEqual(schedule(withExtra(loan, complete)))
        },
      ),
      options,
    )
  })
})

describe('payment holidays on any loan', () => {
  test('cost interest when it is capitalized or deferred, and extend the term if requested', () => {
    fc.assert(
      fc.property(
        anyAnnuity,
        fc.record({
          fromInstallment: fc.integer({ min: 1, max: 4 }),
          installments: fc.integer({ min: 1, max: 2 }),
          type: fc.constantFrom(...HolidayType.values),
          interest: fc.constantFrom('capitalise', 'defer'),
          term: fc.constantFrom('extend', 'keep-maturity'),
        } as const),
        (loan, holiday) => {
          const paused = schedule({ ...loan, holidays: [holiday] })
          const base = schedule(loan)
          const least = Number(base.totalInterestMinor) - 2 * roundingOf(loan)
          expect(Number(paused.totalInterestMinor)).toBeGreaterThanOrEqual(least)
          const grows = holiday.term === 'extend' ? holiday.installments : 0
          expect(paused.installments).toHaveLength(base.installments.length + grows)
        },
      ),
      options,
    )
  })
})

import type {
  DayCount,
  RepaymentMethod,
} from '../../../subgraphs/lending/model/schedules/enumerations.ts'
import { describe, expect, test } from 'vitest'
import { calendarOf } from '../../../subgraphs/lending/domain/schedules/calendar.ts'
import { toDate, toDay } from '../../../kernel/domain/day-count.ts'
import { yearFraction } from '../../../subgraphs/lending/domain/schedules/day-count.ts'

import { ofPercent, roundHalfEven } from '../../../kernel/domain/rational.ts'
import { aLoan, lines, schedule } from './kit.ts'

describe('due dates', () => {
  test('keep the day of the start date through short months', () => {
    const dates = (start: string, frequency: 'monthly' | 'quarterly' | 'yearly') => {
      const { dueDay } = calendarOf(start, frequency, null)
      return [1, 2, 3].map((number) => toDate(dueDay(number)))
    }
    expect(dates('2024-01-31', 'monthly')).toEqual(['2024-02-29', '2024-03-31', '2024-04-30'])
    expect(dates('2025-01-31', 'monthly')).toEqual(['2025-02-28', '2025-03-31', '2025-04-30'])
    expect(dates('2024-11-30', 'quarterly')).toEqual(['2025-02-28', '2025-05-30', '2025-08-30'])
    expect(dates('2024-02-29', 'yearly')).toEqual(['2025-02-28', '2026-02-28', '2027-02-28'])
  })

  test('follow periods of a number of days', () => {
    const { dueDay, isDueDay } = calendarOf('2024-02-20', 'days', 15)
    expect(toDate(dueDay(1))).toBe('2024-03-06')
    expect(toDate(calendarOf('2024-02-20', 'biweekly', null).dueDay(2))).toBe('2024-03-19')
    expect([toDay('2024-03-06'), toDay('2024-03-07')].map(isDueDay)).toEqual([true, false])
  })

  test('convert to day numbers and back', () => {
    for (const date of ['1970-01-01', '0001-01-01', '1900-02-28', '2000-02-29', '9999-12-31']) {
      expect(toDay(date)).toBe(Date.parse(`${date}T00:00:00Z`) / 86_400_000)
      expect(toDate(toDay(date))).toBe(date)
    }
  })
})

describe('day counts', () => {
  const part = (dayCount: DayCount, start: string, from: string, to: string) => {
    const calendar = calendarOf(start, 'monthly', null)
    const { num, den } = yearFraction(dayCount, calendar, 1, toDay(from), toDay(to))
    return Number(num) / Number(den)
  }

  test.each([
    ['thirty-360', '2024-02-01', '2024-03-01', 1 / 12],
    ['thirty-360', '2024-02-01', '2024-02-15', 14 / 29 / 12],
    ['thirty-360', '2024-02-15', '2024-03-01', 15 / 29 / 12],
    ['act-360', '2024-02-01', '2024-03-01', 29 / 360],
    ['act-364', '2024-02-01', '2024-02-15', 14 / 364],
    ['act-365', '2024-02-01', '2024-03-01', 29 / 365],
    ['act-act', '2024-02-01', '2024-03-01', 29 / 366],
    ['act-act', '2023-12-12', '2024-01-12', 20 / 365 + 11 / 366],
    ['act-act', '2024-12-31', '2027-01-01', 1 / 366 + 2],
  ] as const)('%s from %s to %s', (dayCount, from, to, years) => {
    expect(part(dayCount, from.slice(0, 8) + '01', from, to)).toBeCloseTo(years, 14)
  })

  test('a quarter counts three months, and a part of it a month and a fraction', () => {
    const calendar = calendarOf('2024-01-01', 'quarterly', null)
    const complete = yearFraction(
      'thirty-360',
      calendar,
      1,
      toDay('2024-01-01'),
      toDay('2024-04-01'),
    )
    expect(complete).toEqual({ num: 3n, den: 12n })
    const [from, to] = [toDay('2024-01-01'), toDay('2024-02-15')]
    const { num, den } = yearFraction('thirty-360', calendar, 1, from, to)
    expect(Number(num) / Number(den)).toBeCloseTo((1 + 14 / 29) / 12, 14)
  })

  test('ACT/ACT matches the ISDA factor for 9.4822% over the start of a leap year', () => {
    expect(part('act-act', '2023-12-12', '2023-12-12', '2024-01-12') * 0.094822).toBeCloseTo(
      0.008045567557,
      12,
    )
  })
})

test('rounds halves to the even amount, also below zero', () => {
  const halves = [5n, 15n, 25n, -5n, -15n, 14n, 16n].map((num) => roundHalfEven(num, 10n))
  expect(halves).toEqual([0n, 2n, 2n, 0n, -2n, 1n, 2n])
})

test('rounds an amount of exactly half a cent without losing precision', () => {
  // One month at 6/70 on 2.10 is exactly 1.5 cents, which no finite decimal of 6/70 yields.
  const seventh = { num: 6n, den: 70n }
  const loan = aLoan(
    { annualRate: seventh, installments: 1 },
    { disbursements: [{ on: '2026-01-01', amountMinor: 210n }] },
  )
  expect(schedule(loan).totalInterestMinor).toBe(2n)
})

describe('repayment methods: 12,000.00 at 6% over a year', () => {
  const of = (method: RepaymentMethod, terms = {}) => schedule(aLoan({ method, ...terms }))

  test('equal principal lowers the payment each month', () => {
    const table = of('equal-principal')
    expect(lines(table).slice(0, 2)).toEqual([
      '1: 106000 6000 100000 1100000',
      '2: 105500 5500 100000 1000000',
    ])
    expect(table.totalInterestMinor).toBe(39_000n)
  })

  test('interest only repays the principal at the end', () => {
    expect(lines(of('interest-only')).slice(-2)).toEqual([
      '11: 6000 6000 0 1200000',
      '12: 1206000 6000 1200000 0',
    ])
  })

  test('balloon leaves the balloon amount for the last installment, in addition to the regular one', () => {
    const { installments } = of('balloon', { balloonMinor: 300_000n })
    const [first, last] = [installments[0]!, installments.at(-1)!]
    expect(first.paymentMinor).toBe(78_960n)
    expect(last.paymentMinor - 300_000n).toBeGreaterThan(78_950n)
    expect(last.paymentMinor - 300_000n).toBeLessThan(78_970n)
  })

  test('a balloon over 15 years equal to the rest of a 30-year annuity has the installment of that annuity', () => {
    // Example 7 of the European Commission: 200,000 at 6%, 1,199.10 a month, 142,097.69 left after 180 months.
    const loan = aLoan(
      { installments: 180, method: 'balloon', balloonMinor: 14_209_769n },
      { disbursements: [{ on: '2026-01-01', amountMinor: 20_000_000n }] },
    )
    const { installments } = schedule(loan)
    expect(installments[0]!.paymentMinor).toBe(119_910n)
  })

  test('flat charges interest on the initial amount in equal parts', () => {
    const table = of('flat', { dayCount: 'act-365' })
    expect(table.totalInterestMinor).toBe(72_000n)
    expect(new Set(table.installments.map(({ paymentMinor }) => paymentMinor))).toEqual(
      new Set([106_000n]),
    )
  })

  test('flat interest that was already paid, rounded, is not refunded by later installments', () => {
    const loan = aLoan(
      { method: 'flat', dayCount: 'act-365' },
      {
        disbursements: [{ on: '2026-01-01', amountMinor: 1_200_125n }],
        rateChanges: [{ from: '2026-01-21', annualRate: ofPercent('0') }],
        extraPayments: ['2026-01-11', '2026-01-20'].map((on) => {
          return { on, amountMinor: 100_000n, strategy: 'reduce-term' }
        }),
      },
    )
    const { installments } = schedule(loan)
    expect(installments.every((line) => line.paymentMinor === line.principalMinor)).toBe(true)
  })

  test('without interest repays the principal in equal installments', () => {
    const table = of('annuity', { annualRate: ofPercent('0'), installments: 7 })
    expect(table.installments.map(({ paymentMinor }) => paymentMinor)).toEqual([
      ...Array(6).fill(171_429n),
      171_426n,
    ])
  })

  test('principal grace pays interest only, then equal installments', () => {
    const [first, , third] = lines(of('annuity', { principalGrace: 2 }))
    expect([first, third]).toEqual(['1: 6000 6000 0 1200000', '3: 123325 6000 117325 1082675'])
  })

  test('a rate change on a due date applies to the period that begins there', () => {
    const change = (from: string) =>
      schedule(aLoan({}, { rateChanges: [{ from, annualRate: ofPercent('12') }] })).installments
    expect(change('2026-04-01')[2]!.interestMinor).toBe(5025n)
    expect(change('2026-04-01')[3]!.interestMinor).toBe(9067n)
    expect(change('2026-04-02')).toEqual(change('2026-04-01'))
    // The first day at 12% ends on April 11: 9 days at 6%, 21 at 12%.
    expect(change('2026-04-11')[3]!.interestMinor).toBe(1360n + 6347n)
    expect(change('2030-01-01')).toEqual(schedule(aLoan()).installments)
  })

  test('a rate change recalculates the installment only from then on: 5% for 2 of 20 years, then 6%', () => {
    // Example 20 of the European Commission.
    const { installments } = schedule(
      aLoan(
        { installments: 240, annualRate: ofPercent('5') },
        {
          disbursements: [{ on: '2026-01-01', amountMinor: 20_000_000n }],
          rateChanges: [{ from: '2028-01-01', annualRate: ofPercent('6') }],
        },
      ),
    )
    expect(installments[23]!.paymentMinor).toBe(131_991n)
    expect(installments[24]!.paymentMinor).toBe(142_341n)
  })
})

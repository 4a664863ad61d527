import { DuePart } from '../../../subgraphs/lending/model/repayments/enumerations.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allocatePayment,
  type Due,
} from '../../../subgraphs/lending/domain/repayments/allocation.ts'
import { toDate, toDay } from '../../../kernel/domain/day-count.ts'
import { delinquencyOf } from '../../../subgraphs/lending/domain/servicing/delinquency.ts'
import type { Loan } from '../../../subgraphs/lending/domain/schedules/loan.ts'
import { ofPercent } from '../../../kernel/domain/rational.ts'
import { standingOn } from '../../../subgraphs/lending/domain/schedules/standing.ts'
import {
  amend,
  effectOf,
  firstVersion,
  type Amendment,
} from '../../../subgraphs/lending/domain/schedules/version.ts'
import { aLoan, numRuns, schedule, sum } from './kit.ts'

describe('the interest of a day', () => {
  const accruedOn = (loan: Loan, on: string) => standingOn(loan, on, 'EUR').accruedTotalMinor

  test('is booked at its end, and adds up to the interest of the period', () => {
    const accrued = (on: string) => accruedOn(aLoan(), on) - accruedOn(aLoan(), '2026-04-01')
    expect(accrued('2026-04-02')).toBe(151n)
    expect(accrued('2026-05-01') - accrued('2026-04-30')).toBe(151n)
    expect(accrued('2026-05-01')).toBe(4533n)
  })

  /** The day counts by which all days of a month count the same. */
  const daysOfYear = {
    'thirty-360': 360,
    'act-360': 360,
    'act-364': 364,
    'act-365': 365,
    'act-act': 365,
  } as const

  test('adds up for any principal, rate and day count, and is never negative', () => {
    const start = '2026-04-01'
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10_000_000n),
        fc.integer({ min: 0, max: 3000 }),
        fc.constantFrom(...(Object.keys(daysOfYear) as (keyof typeof daysOfYear)[])),
        fc.integer({ min: 1, max: 30 }),
        (amountMinor, basisPoints, dayCount, length) => {
          const annualRate = { num: BigInt(basisPoints), den: 10_000n }
          const disbursements = [{ on: start, amountMinor }]
          const loan = aLoan({ start, dayCount, annualRate }, { disbursements })
          const accrued = (days: number) => accruedOn(loan, toDate(toDay(start) + days))
          const years = length / daysOfYear[dayCount]
          const exact = (Number(amountMinor) * basisPoints * years) / 10_000
          expect(Math.abs(Number(accrued(length)) - exact)).toBeLessThanOrEqual(0.5001)
          expect(accrued(length)).toBeGreaterThanOrEqual(accrued(length - 1))
        },
      ),
      { numRuns: Math.min(numRuns, 300) },
    )
  })
})

const due = (number: number, dueDate: string, parts: Partial<Due['owedMinor']> = {}): Due => ({
  number,
  dueDate,
  owedMinor: { fees: 0n, penalties: 0n, interest: 0n, principal: 0n, ...parts },
})
const dues = [
  due(2, '2026-03-01', { interest: 50n, principal: 900n }),
  due(1, '2026-02-01', { fees: 10n, interest: 60n, principal: 890n }),
]

describe('allocation of a payment', () => {
  const spent = (...provided: Parameters<typeof allocatePayment>) => {
    const { allocations, leftMinor } = allocatePayment(...provided)
    const shown = allocations.map(
      ({ number, part, amountMinor }) => `${number} ${part} ${amountMinor}`,
    )
    return [...shown, `left ${leftMinor}`]
  }

  test('pays the oldest installment first: fees, interest, principal', () => {
    expect(spent(500n, dues)).toEqual(['1 fees 10', '1 interest 60', '1 principal 430', 'left 0'])
  })

  test('returns the excess', () => {
    expect(spent(2000n, dues).at(-1)).toBe('left 90')
  })

  test('adds up to the payment, with an excess only when nothing is owed', () => {
    const amount = fc.bigInt(0n, 1000n)
    const owed = fc.record({ fees: amount, penalties: amount, interest: amount, principal: amount })
    fc.assert(
      fc.property(fc.bigInt(0n, 10_000n), fc.array(owed, { maxLength: 5 }), (paid, all) => {
        const open = all.map((parts, place) => due(place + 1, '2026-02-01', parts))
        const { allocations, leftMinor } = allocatePayment(paid, open)
        expect(sum(allocations.map(({ amountMinor }) => amountMinor)) + leftMinor).toBe(paid)
        const total = sum(all.flatMap((parts) => DuePart.values.map((part) => parts[part])))
        expect(leftMinor).toBe(paid > total ? paid - total : 0n)
      }),
      { numRuns: Math.min(numRuns, 300) },
    )
  })
})

describe('delinquency stage', () => {
  test.each([
    ['2026-02-01', 'current', 0, 0n],
    ['2026-02-02', 'past-due', 1, 960n],
    ['2026-03-02', 'past-due', 29, 1910n],
    ['2026-03-03', 'increased-risk', 30, 1910n],
    ['2026-05-01', 'increased-risk', 89, 1910n],
    ['2026-05-02', 'default', 90, 1910n],
  ] as const)('on %s it is %s', (today, stage, daysPastDue, arrearsMinor) => {
    const oldestDueDate = daysPastDue === 0 ? null : '2026-02-01'
    expect(delinquencyOf(dues, today)).toEqual({ stage, daysPastDue, arrearsMinor, oldestDueDate })
  })

  test('ignores installments that are paid', () => {
    expect(delinquencyOf([due(1, '2026-02-01'), dues[0]!], '2026-03-11')).toMatchObject({
      daysPastDue: 10,
      oldestDueDate: '2026-03-01',
    })
  })
})

describe('versions of a schedule', () => {
  const first = firstVersion(aLoan(), 'EUR')
  const extra: Amendment = {
    kind: 'extra-payment',
    extraPayment: { on: '2026-04-01', amountMinor: 200_000n, strategy: 'reduce-term' },
  }

  test('record their cause and their effect', () => {
    const second = amend(first, extra, 3, 'EUR')
    expect(second).toMatchObject({ version: 2, cause: extra })
    expect(first.schedule.installments).toHaveLength(12)
    expect(effectOf(first, second, 3)).toEqual({
      before: {
        installmentMinor: 103_280n,
        maturityDate: '2027-01-01',
        totalInterestMinor: 39_358n,
      },
      after: {
        installmentMinor: 103_280n,
        maturityDate: '2026-11-01',
        totalInterestMinor: 30_713n,
      },
      additionalInterestMinor: -8645n,
    })
  })

  test('amended one by one, equal a schedule calculated from all events at once', () => {
    const holiday = {
      fromInstallment: 6,
      installments: 1,
      type: 'full',
      interest: 'defer',
      term: 'extend',
    } as const
    const changes: Amendment[] = [
      extra,
      { kind: 'rate-change', rateChange: { from: '2026-05-01', annualRate: ofPercent('7') } },
      { kind: 'disbursement', disbursement: { on: '2026-05-15', amountMinor: 100_000n } },
      { kind: 'payment-holiday', holiday },
    ]
    const last = changes.reduce((version, change) => amend(version, change, 3, 'EUR'), first)
    expect(last.version).toBe(5)
    expect(last.schedule).toEqual(schedule(last.loan))
    expect(last.schedule.installments.slice(0, 3)).toEqual(first.schedule.installments.slice(0, 3))
  })

  test('cannot change an installment that is paid', () => {
    expect(() => amend(first, extra, 3, 'EUR')).not.toThrow()
    expect(() => amend(first, extra, 4, 'EUR')).toThrow('Installment 4 is paid and would change.')
    const backdated: Amendment = {
      kind: 'rate-change',
      rateChange: { from: '2026-02-01', annualRate: ofPercent('7') },
    }
    expect(() => amend(first, backdated, 1, 'EUR')).not.toThrow()
    expect(() => amend(first, backdated, 2, 'EUR')).toThrow(
      expect.objectContaining({ code: 'INSTALMENT_ALREADY_PAID' }),
    )
  })
})

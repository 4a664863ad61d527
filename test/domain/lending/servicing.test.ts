import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dailyAccruals, type Stretch } from '../../../subgraphs/lending/domain/accrual.ts'
import {
  allocatePayment,
  dueParts,
  type Due,
} from '../../../subgraphs/lending/domain/allocation.ts'
import { calendarOf, toDate, toDay } from '../../../subgraphs/lending/domain/calendar.ts'
import { delinquencyOf } from '../../../subgraphs/lending/domain/delinquency.ts'
import { ofPercent } from '../../../subgraphs/lending/domain/rational.ts'
import {
  amend,
  effectOf,
  firstVersion,
  type Amendment,
} from '../../../subgraphs/lending/domain/version.ts'
import { aLoan, numRuns, schedule, sum } from './kit.ts'

describe('daily accruals', () => {
  const stretch: Stretch = {
    calendar: calendarOf('2026-01-01', 'monthly', null),
    number: 4,
    from: '2026-04-01',
    to: '2026-05-01',
    principalMinor: 906_699n,
    annualRate: ofPercent('6'),
    dayCount: 'thirty-360',
  }

  test('are booked at the end of each day and add up to the interest of the period', () => {
    const days = dailyAccruals(stretch)
    expect(days).toHaveLength(30)
    expect([days[0], days.at(-1)]).toEqual([
      { on: '2026-04-02', amountMinor: 151n },
      { on: '2026-05-01', amountMinor: 151n },
    ])
    expect(sum(days.map(({ amountMinor }) => amountMinor))).toBe(4533n)
  })

  /** Within one month these count every day alike. */
  const linear = ['thirty-360', 'act-360', 'act-364', 'act-365', 'act-act'] as const

  test('add up for any principal, rate and day count, and none is negative', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10_000_000n),
        fc.integer({ min: 0, max: 3000 }),
        fc.constantFrom(...linear),
        fc.integer({ min: 1, max: 30 }),
        (principalMinor, basisPoints, dayCount, length) => {
          const annualRate = { num: BigInt(basisPoints), den: 10_000n }
          const to = toDate(toDay(stretch.from) + length)
          const days = dailyAccruals({ ...stretch, principalMinor, annualRate, dayCount, to })
          const booked = Number(sum(days.map(({ amountMinor }) => amountMinor)))
          const years =
            length /
            { 'thirty-360': 360, 'act-360': 360, 'act-364': 364, 'act-365': 365, 'act-act': 365 }[
              dayCount
            ]
          expect(
            Math.abs(booked - (Number(principalMinor) * basisPoints * years) / 10_000),
          ).toBeLessThanOrEqual(0.5001)
          expect(days.every(({ amountMinor }) => amountMinor >= 0n)).toBe(true)
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

describe('a payment', () => {
  const spent = (...given: Parameters<typeof allocatePayment>) => {
    const { allocations, leftMinor } = allocatePayment(...given)
    const shown = allocations.map(
      ({ number, part, amountMinor }) => `${number} ${part} ${amountMinor}`,
    )
    return [...shown, `left ${leftMinor}`]
  }

  test('settles the oldest instalment first: fees, interest, principal', () => {
    expect(spent(500n, dues)).toEqual(['1 fees 10', '1 interest 60', '1 principal 430', 'left 0'])
  })

  test('or a part of all instalments first', () => {
    expect(spent(500n, dues, 'part-first')).toEqual([
      '1 fees 10',
      '1 interest 60',
      '2 interest 50',
      '1 principal 380',
      'left 0',
    ])
  })

  test('follows another order where one is agreed, and leaves what is too much', () => {
    expect(spent(100n, dues, 'instalment-first', ['principal', 'interest'])).toEqual([
      '1 principal 100',
      'left 0',
    ])
    expect(spent(2000n, dues).at(-1)).toBe('left 90')
  })

  test('is allocated and left to the minor unit', () => {
    const amount = fc.bigInt(0n, 1000n)
    const owed = fc.record({ fees: amount, penalties: amount, interest: amount, principal: amount })
    fc.assert(
      fc.property(fc.bigInt(0n, 10_000n), fc.array(owed, { maxLength: 5 }), (paid, all) => {
        const open = all.map((parts, place) => due(place + 1, '2026-02-01', parts))
        const { allocations, leftMinor } = allocatePayment(paid, open)
        expect(sum(allocations.map(({ amountMinor }) => amountMinor)) + leftMinor).toBe(paid)
        const total = sum(all.flatMap((parts) => dueParts.map((part) => parts[part])))
        expect(leftMinor).toBe(paid > total ? paid - total : 0n)
      }),
      { numRuns: Math.min(numRuns, 300) },
    )
  })
})

describe('how late a loan is', () => {
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

  test('what is paid is not late', () => {
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

  test('keep their cause, and say what they change', () => {
    const second = amend(first, extra, 3, 'EUR')
    expect(second).toMatchObject({ version: 2, cause: extra })
    expect(first.schedule.instalments).toHaveLength(12)
    expect(effectOf(first, second, 3)).toEqual({
      before: {
        instalmentMinor: 103_280n,
        maturityDate: '2027-01-01',
        totalInterestMinor: 39_358n,
      },
      after: { instalmentMinor: 103_280n, maturityDate: '2026-11-01', totalInterestMinor: 30_713n },
      additionalInterestMinor: -8645n,
    })
  })

  test('follow one another as if all had been known', () => {
    const holiday = {
      fromInstalment: 6,
      instalments: 1,
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
    expect(last.schedule.instalments.slice(0, 3)).toEqual(first.schedule.instalments.slice(0, 3))
  })

  test('an instalment that is paid does not change', () => {
    expect(() => amend(first, extra, 3, 'EUR')).not.toThrow()
    expect(() => amend(first, extra, 4, 'EUR')).toThrow('Instalment 4 is paid and would change.')
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

/** Random lives of floating loans, compared with a model that scans all fixings for each reset date. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDate, toDay } from '../../../kernel/domain/day-count.ts'
import { addDays } from '../../../kernel/domain/dates.ts'
import {
  fixingKnownOn,
  fixingOn,
  withFixings,
  type ReferenceRateFact,
} from '../../../kernel/domain/reference-rate.ts'
import type { Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import {
  applyResets,
  nextResetOn,
  ratePctOn,
} from '../../../subgraphs/lending/domain/rate-resets/rate-reset.ts'
import { defaultPolicy } from '../../../subgraphs/lending/domain/facilities/product-policy.ts'
import {
  planRelief,
  type ReliefRequest,
} from '../../../subgraphs/lending/domain/relief/hardship-relief.ts'
import { closeDays } from '../../../subgraphs/lending/domain/servicing/close-days.ts'
import { startServicing } from '../../../subgraphs/lending/domain/servicing/servicing.ts'
import type { HardshipRequest } from '../../../subgraphs/lending/model/relief/hardship-request.ts'
import { numRuns } from './kit.ts'
import { aFloatingLoan, fact, start } from './rate-reset-kit.ts'

/** Closes the days through a date in one run, as one night does. */
function closed(before: Facility, rate: ReferenceRateFact, through: string) {
  const { facility, resets } = applyResets(before, rate, through)
  const after = closeDays(startServicing(facility, []), through, null)
  return { facility: after.facility, resets }
}

describe('the reset dates', () => {
  test('are counted from the first payout, so that the day of the month does not drift', () => {
    const dates: (string | null)[] = []
    let facility = aFloatingLoan()
    for (;;) {
      const next = nextResetOn(facility)
      dates.push(next)
      if (next === null) break
      facility = { ...facility, floatingRate: { ...facility.floatingRate!, lastResetOn: next } }
    }
    expect(dates).toEqual([
      '2026-04-30',
      '2026-07-31',
      '2026-10-31',
      '2027-01-31',
      '2027-04-30',
      '2027-07-31',
      '2027-10-31',
      null,
    ])
  })

  test('do not exist for a fixed rate', () => {
    expect(nextResetOn({ ...aFloatingLoan(), floatingRate: null })).toBeNull()
  })
})

describe('the fixing of a day', () => {
  const rate = fact({ '2026-04-20': '1', '2026-04-24': '2' }, 7)
  test.each([
    ['2026-04-19', null],
    ['2026-04-20', '1'],
    ['2026-04-23', '1'],
    ['2026-04-30', '2'],
    ['2026-05-01', null],
  ])('on %s is %s', (day, ratePct) => {
    expect(fixingOn(rate, day)?.ratePct ?? null).toBe(ratePct)
  })
})

test('a rate that is agreed as relief ends the resets, and other relief does not', () => {
  const loan = startServicing(aFloatingLoan(), [])
  const request = { type: 'restructure' } as HardshipRequest
  const planned = (input: ReliefRequest) =>
    planRelief(loan, request, input, defaultPolicy, [], '2026-02-10').serviced.facility
  expect(nextResetOn(planned({ ratePct: '3' }))).toBeNull()
  expect(nextResetOn(planned({ extraInstallments: 6 }))).toBe('2026-04-30')
})

test('what was known on a day stays the same when older fixings are recorded later', () => {
  const first = withFixings([], [{ fixedOn: '2026-03-10', ratePct: '2' }], '2026-03-01')
  const later = withFixings(first, [{ fixedOn: '2026-01-01', ratePct: '9' }], '2026-03-05')
  for (const day of ['2026-02-01', '2026-03-04']) {
    expect(fixingKnownOn({ validDays: null, fixings: later }, day)?.ratePct).toBe('2')
  }
  expect(fixingKnownOn({ validDays: null, fixings: later }, '2026-03-05')?.ratePct).toBe('9')
  expect(fixingKnownOn({ validDays: null, fixings: later }, '2026-03-10')?.ratePct).toBe('2')
})

const frequencies = { monthly: 1, quarterly: 3, 'semi-annually': 6, annually: 12 } as const

/** The last day of a month if it is shorter. */
function monthsLater(months: number): string {
  const [year, month] = [2026 + Math.floor(months / 12), months % 12]
  return new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10)
}

test('every day has the rate of the model, in one night or in many', () => {
  const anyTerms = fc.record({
    frequency: fc.constantFrom(...(Object.keys(frequencies) as (keyof typeof frequencies)[])),
    lookbackDays: fc.integer({ min: 0, max: 31 }),
    marginBasisPoints: fc.integer({ min: -200, max: 400 }),
    floor: fc.constantFrom('0', '1.5'),
    cap: fc.constantFrom(null, '5'),
  })
  const anyFixings = fc.dictionary(
    fc.integer({ min: 0, max: 720 }).map((day) => addDays(start, day)),
    fc.integer({ min: -300, max: 900 }).map((points) => String(points / 100)),
    { maxKeys: 60, noNullPrototype: true },
  )
  const nights = fc.uniqueArray(fc.integer({ min: 1, max: 700 }), { maxLength: 20 })
  fc.assert(
    fc.property(anyTerms, anyFixings, nights, (terms, fixings, stops) => {
      const { frequency, lookbackDays, marginBasisPoints, floor, cap } = terms
      const all = { [addDays(start, -40)]: '1', ...fixings }
      const loan = aFloatingLoan({
        frequency,
        lookbackDays,
        marginPct: String(marginBasisPoints / 100),
        minimumRatePct: floor,
        maximumRatePct: cap,
      })
      const end = addDays(start, 710)
      const atOnce = closed(loan, fact(all), end)
      let nightly = loan
      for (const stop of [...stops.sort((one, other) => one - other), 710]) {
        const through = addDays(start, stop)
        // A night knows the fixings through its morning.
        const known = Object.fromEntries(
          Object.entries(all).filter(([day]) => day <= addDays(through, 1)),
        )
        nightly = closed(nightly, fact(known), through).facility
      }
      expect(nightly.accruedTotalMinor).toBe(atOnce.facility.accruedTotalMinor)
      expect(nightly.loan).toEqual(atOnce.facility.loan)
      const days = Object.keys(all).sort()
      const step = frequencies[frequency]
      for (let day = toDay(start); day < toDay(end); day += 7) {
        const date = toDate(day)
        let expected = 6
        for (let months = step; months < 24 && monthsLater(months) <= date; months += step) {
          const fixed = addDays(monthsLater(months), -lookbackDays)
          const fixing = Number(all[days.filter((each) => each <= fixed).at(-1)!])
          const sum = Math.round(fixing * 100 + marginBasisPoints) / 100
          expected = Math.min(Math.max(sum, Number(floor)), Number(cap ?? 1000))
        }
        expect([date, Number(ratePctOn(atOnce.facility.loan, date))]).toEqual([date, expected])
      }
    }),
    { numRuns: Math.min(numRuns, 100) },
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import {
  accountingDateOf,
  firstDayOf,
  fiscalYearOf,
  isClosed,
  lastDayOf,
  nextPeriod,
  periodOf,
  periodsOf,
  previousPeriod,
  requireClosable,
  requirePeriodId,
  type Periods,
} from '../../../subgraphs/general-ledger/domain/period.ts'

const day = fc.integer({ min: 0, max: 800 }).map((days) => addDays('2025-01-01', days))
const periods: fc.Arbitrary<Periods> = fc.record({
  closedThrough: fc.option(day.map((each) => lastDayOf(periodOf(each)))),
  softClosed: fc.array(day.map(periodOf), { maxLength: 4 }).map((ids) => new Set(ids)),
})

describe('months', () => {
  test.each([
    ['2026-02', '2026-02-01', '2026-02-28', '2026-01', '2026-03'],
    ['2028-02', '2028-02-01', '2028-02-29', '2028-01', '2028-03'],
    ['2026-12', '2026-12-01', '2026-12-31', '2026-11', '2027-01'],
    ['2027-01', '2027-01-01', '2027-01-31', '2026-12', '2027-02'],
  ])('%s is from %s to %s, between %s and %s', (id, first, last, before, after) => {
    expect([firstDayOf(id), lastDayOf(id), previousPeriod(id), nextPeriod(id)]).toEqual([
      first,
      last,
      before,
      after,
    ])
    expect(periodsOf(fiscalYearOf(id))).toContain(id)
  })

  test.each(['2026-13', '2026-00', '2026-1', '0000-01', '9999-01', '2026-01-01', ''])(
    '%s is not a period',
    (id) => expect(() => requirePeriodId(id)).toThrow('is not a month'),
  )
})

describe('accounting date', () => {
  const none: Periods = { closedThrough: null, softClosed: new Set() }
  const february: Periods = { closedThrough: '2026-02-28', softClosed: new Set() }
  test.each<[string, LocalDate, LocalDate, Periods, LocalDate]>([
    ['open', '2026-02-20', '2026-03-10', none, '2026-02-20'],
    ['closed, booked in the open period', '2026-02-20', '2026-03-10', february, '2026-03-10'],
    ['closed, booked after the open period', '2026-02-20', '2026-04-02', february, '2026-03-01'],
    ['closed long ago', '2025-12-31', '2026-03-10', february, '2026-03-10'],
    ['in the future', '2026-04-02', '2026-03-10', february, '2026-04-02'],
    [
      'soft closed after closed',
      '2026-02-20',
      '2026-04-02',
      { ...february, softClosed: new Set(['2026-03']) },
      '2026-04-02',
    ],
    [
      'soft closed, the next one as well',
      '2026-03-31',
      '2026-03-31',
      { ...none, softClosed: new Set(['2026-03', '2026-04']) },
      '2026-05-01',
    ],
  ])('%s: %s, booked on %s', (_, valueDate, bookedOn, state, expected) => {
    expect(accountingDateOf(valueDate, bookedOn, state)).toBe(expected)
  })

  test('is in the first open period from the value date on, and is the value date if that is open', () => {
    fc.assert(
      fc.property(day, day, periods, (valueDate, bookedOn, state) => {
        const isOpen = (each: LocalDate) =>
          !isClosed(each, state) && !state.softClosed.has(periodOf(each))
        // The independent model goes day by day.
        let expected = valueDate
        while (!isOpen(expected)) expected = addDays(expected, 1)
        const found = accountingDateOf(valueDate, bookedOn, state)
        expect(isOpen(found)).toBe(true)
        expect(periodOf(found)).toBe(periodOf(expected))
        if (isOpen(valueDate)) expect(found).toBe(valueDate)
        else if (periodOf(bookedOn) === periodOf(expected)) expect(found).toBe(bookedOn)
        else expect(found).toBe(expected)
      }),
    )
  })
})

/** A step in the life of the books. */
type Step =
  { kind: 'post'; valueDate: LocalDate; amount: number } | { kind: 'close' | 'reopen' | 'soften' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      valueDate: day,
      amount: fc.integer({ min: 1, max: 999 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('reopen' as const, 'soften' as const) }),
  },
)

describe('the life of the books', () => {
  test('closing and reopening in any order loses nothing and changes no figure of a closed period', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const today = '2027-12-31'
        let state: Periods = { closedThrough: null, softClosed: new Set() }
        const booked: { accountingDate: LocalDate; valueDate: LocalDate; amount: number }[] = []
        /** The sum of each closed period, as it was when it was closed. */
        const closings = new Map<string, number>()
        const sumOf = (periodId: string) =>
          booked
            .filter(({ accountingDate }) => periodOf(accountingDate) === periodId)
            .reduce((sum, { amount }) => sum + amount, 0)
        let posted = 0
        for (const each of steps) {
          if (each.kind === 'post') {
            const { valueDate, amount } = each
            const accountingDate = accountingDateOf(valueDate, valueDate, state)
            booked.push({ accountingDate, valueDate, amount })
            posted += amount
          } else if (each.kind === 'reopen') {
            if (state.closedThrough === null) continue
            const last = periodOf(state.closedThrough)
            closings.delete(last)
            state = { ...state, closedThrough: lastDayOf(previousPeriod(last)) }
          } else {
            const dates = booked.map(({ accountingDate }) => accountingDate).sort()
            const next = state.closedThrough
              ? nextPeriod(periodOf(state.closedThrough))
              : dates[0] && periodOf(dates[0])
            if (!next) continue
            if (each.kind === 'soften') {
              state = { ...state, softClosed: new Set([...state.softClosed, next]) }
              continue
            }
            if (lastDayOf(next) >= today) continue
            requireClosable(next, state, today)
            const softClosed = new Set([...state.softClosed].filter((id) => id !== next))
            state = { closedThrough: lastDayOf(next), softClosed }
            closings.set(next, sumOf(next))
          }
          for (const [periodId, sum] of closings) expect(sumOf(periodId)).toBe(sum)
        }
        expect(booked.reduce((sum, { amount }) => sum + amount, 0)).toBe(posted)
        for (const { accountingDate, valueDate } of booked) {
          expect(accountingDate >= valueDate).toBe(true)
        }
      }),
    )
  })

  test.each<[string, LocalDate | null, string | null]>([
    ['2026-03', null, null],
    ['2026-03', '2026-02-28', null],
    ['2026-03', '2026-01-31', 'EARLIER_PERIOD_NOT_CLOSED'],
    ['2026-04', '2026-03-31', 'PERIOD_NOT_ENDED'],
    ['2026-05', null, 'PERIOD_NOT_ENDED'],
  ])('%s after %s: %s', (id, closedThrough, code) => {
    const close = () => requireClosable(id, { closedThrough, softClosed: new Set() }, '2026-04-30')
    if (code === null) close()
    else expect(close).toThrow(expect.objectContaining({ code }))
  })
})

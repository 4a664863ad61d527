import type { DayCount } from '../../../subgraphs/lending/model/schedules/enumerations.ts'
import { expect, test } from 'vitest'
import { calendarOf } from '../../../subgraphs/lending/domain/schedules/calendar.ts'
import { toDay } from '../../../kernel/domain/day-count.ts'
import { yearFraction } from '../../../subgraphs/lending/domain/schedules/day-count.ts'

const days = (dayCount: DayCount, from: string, to: string, termination: string | null = null) => {
  const calendar = calendarOf('2006-01-01', 'monthly', null)
  const end = termination === null ? null : toDay(termination)
  const { num, den } = yearFraction(dayCount, calendar, 1, toDay(from), toDay(to), end)
  return (Number(num) / Number(den)) * 360
}

// Calculated by the formulas of ISDA 2006, section 4.16(f), (g) and (h).
test.each([
  ['2007-01-15', '2007-01-30', 15, 15, 15],
  ['2007-01-15', '2007-02-15', 30, 30, 30],
  ['2007-01-15', '2007-07-15', 180, 180, 180],
  ['2007-09-30', '2008-03-31', 180, 180, 180],
  ['2007-09-30', '2007-10-31', 30, 30, 30],
  ['2007-01-15', '2007-01-31', 16, 15, 15],
  ['2007-01-31', '2007-02-28', 28, 28, 30],
  ['2007-02-28', '2007-03-31', 33, 32, 30],
  ['2007-02-28', '2007-03-05', 7, 7, 5],
  ['2007-02-14', '2007-02-28', 14, 14, 16],
  ['2007-08-31', '2008-02-29', 179, 179, 180],
  ['2008-02-29', '2009-02-28', 359, 359, 360],
])(
  'from %s to %s: 30/360 counts %i days, 30E/360 %i, 30E/360 (ISDA) %i',
  (from, to, us, e, isda) => {
    expect(days('thirty-360-us', from, to)).toBeCloseTo(us, 10)
    expect(days('thirty-e-360', from, to)).toBeCloseTo(e, 10)
    expect(days('thirty-e-360-isda', from, to)).toBeCloseTo(isda, 10)
  },
)

test('30E/360 (ISDA) does not extend a February that ends with the loan', () => {
  expect(days('thirty-e-360-isda', '2007-01-31', '2007-02-28', '2007-02-28')).toBeCloseTo(28, 10)
  expect(days('thirty-e-360-isda', '2007-08-31', '2008-02-29', '2008-02-29')).toBeCloseTo(179, 10)
})

test('THIRTY_360 counts a part of a month by its actual days', () => {
  const calendar = calendarOf('2007-02-01', 'monthly', null)
  const [from, to] = [toDay('2007-02-01'), toDay('2007-02-15')]
  const { num, den } = yearFraction('thirty-360', calendar, 1, from, to)
  expect(num * 24n).toBe(den)
})

import { expect, test } from 'vitest'
import {
  addDays,
  dateOf,
  daysInMonth,
  isLocalDate,
  parseDateTime,
} from '../../../kernel/domain/dates.ts'

test.each(['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
  '%s is a valid date',
  (text) => expect(isLocalDate(text)).toBe(true),
)

test.each([
  '2026-02-30',
  '2026-02-29',
  '1900-02-29',
  '2026-13-01',
  '2026-00-10',
  '0000-01-01',
  '10000-01-01',
  '2026-1-1',
  '2026-01-01 ',
  '20260101',
])('%j is not a valid date', (text) => expect(isLocalDate(text)).toBe(false))

test.each([
  ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31T09:30:00.123456+02:00', '2026-01-31T07:30:00.123Z'],
  ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
])('parses %s as the instant %s', (text, instant) => {
  expect(parseDateTime(text)?.toISOString()).toBe(instant)
})

test.each([
  '2026-01-31T09:30:00',
  '2026-01-31',
  '2026-02-30T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-01-31T09:30:00+00:60',
  '2026-01-31T09:30:00+24:00',
  '2026-01-31 09:30:00Z',
  '9999-12-31T23:59:59-01:00',
])('%j is not a valid date-time', (text) => expect(parseDateTime(text)).toBeUndefined())

test('counts days on the calendar, independent of daylight saving time', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  expect(dateOf(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01-31')
  expect([1, 2, 4].map((month) => daysInMonth(2026, month))).toEqual([31, 28, 30])
})

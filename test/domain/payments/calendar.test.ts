import { describe, expect, test } from 'vitest'
import {
  easterSunday,
  isBusinessDay,
  nextBusinessDay,
  nextOnBusinessDay,
} from '../../../subgraphs/payments/domain/calendar.ts'
import { paymentDateAt } from '../../../subgraphs/payments/domain/standing-order.ts'

test.each([
  [1818, '1818-03-22'],
  [1943, '1943-04-25'],
  [2000, '2000-04-23'],
  [2024, '2024-03-31'],
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2038, '2038-04-25'],
])('Easter Sunday of %i is %s', (year, date) => {
  expect(easterSunday(year)).toBe(date)
})

describe('business days', () => {
  test.each([
    ['2026-03-02', true],
    ['2026-03-07', false],
    ['2026-03-08', false],
    ['2026-04-03', false],
    ['2026-04-06', false],
    ['2026-04-07', true],
    ['2026-05-01', false],
    ['2026-12-24', true],
    ['2026-12-25', false],
    ['2026-12-26', false],
    ['2027-01-01', false],
    ['2027-05-17', true],
  ])('%s is a business day: %s', (date, isOpen) => {
    expect(isBusinessDay(date)).toBe(isOpen)
  })

  test('resume on the Tuesday after Easter', () => {
    expect(nextBusinessDay('2026-04-02')).toBe('2026-04-07')
  })

  test.each([
    ['2026-03-02T14:59:59.999Z', '2026-03-02T15:00:00.000Z'],
    ['2026-03-02T15:00:00.000Z', '2026-03-03T15:00:00.000Z'],
    ['2026-03-06T16:00:00.000Z', '2026-03-09T15:00:00.000Z'],
    ['2026-04-03T08:00:00.000Z', '2026-04-07T15:00:00.000Z'],
  ])('at %s the next cut-off is %s', (now, cutOff) => {
    expect(nextOnBusinessDay(new Date(now), '15:00').toISOString()).toBe(cutOff)
  })
})

test.each([
  ['weekly', '2026-12-28', 1, '2027-01-04'],
  ['monthly', '2026-01-31', 1, '2026-02-28'],
  ['monthly', '2026-01-31', 2, '2026-03-31'],
  ['monthly', '2024-01-30', 1, '2024-02-29'],
  ['monthly', '2026-12-15', 1, '2027-01-15'],
  ['quarterly', '2026-11-30', 1, '2027-02-28'],
  ['quarterly', '2026-11-30', 2, '2027-05-30'],
] as const)(
  'standing order %s from %s: occurrence %i is on %s',
  (frequency, startsOn, number, date) => {
    expect(paymentDateAt({ frequency, startsOn }, number)).toBe(date)
  },
)

import type { OpeningHours } from '../../../subgraphs/channels/model/opening-hours.ts'
import { describe, expect, test } from 'vitest'
import { isOpen, opensAt, requireHours } from '../../../subgraphs/channels/domain/opening-hours.ts'

const office: OpeningHours = {
  zone: 'Europe/Amsterdam',
  weekly: [
    { day: 'monday', from: '09:00', to: '12:30' },
    { day: 'monday', from: '13:00', to: '24:00' },
    { day: 'sunday', from: '02:30', to: '04:00' },
  ],
  closedOn: ['2026-03-16'],
}
const at = (text: string) => new Date(text)

describe('isOpen', () => {
  test.each([
    ['2026-03-02T07:59:59Z', false],
    ['2026-03-02T08:00:00Z', true],
    ['2026-03-02T11:30:00Z', false],
    ['2026-03-02T12:00:00Z', true],
    ['2026-03-02T22:59:59Z', true],
    ['2026-03-02T23:00:00Z', false],
    ['2026-03-03T09:00:00Z', false],
    // Closed on that Monday; in summer the zone is two hours ahead of UTC.
    ['2026-03-16T09:00:00Z', false],
    ['2026-03-30T07:00:00Z', true],
  ])('at %s: %s', (instant, open) => {
    expect(isOpen(office, at(instant))).toBe(open)
  })

  test('is true at any time without hours', () => {
    expect(isOpen(null, at('2026-03-01T03:00:00Z'))).toBe(true)
    expect(opensAt(null, at('2026-03-01T03:00:00Z'))).toEqual(at('2026-03-01T03:00:00Z'))
  })
})

describe('opensAt', () => {
  test.each([
    ['2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z'],
    ['2026-03-02T07:00:00Z', '2026-03-02T08:00:00Z'],
    ['2026-03-02T11:45:00Z', '2026-03-02T12:00:00Z'],
    ['2026-03-08T10:00:00Z', '2026-03-09T08:00:00Z'],
    // Past the closed Monday to the following Sunday.
    ['2026-03-16T07:00:00Z', '2026-03-22T01:30:00Z'],
    // 02:30 does not exist in the night when clocks go forward: it opens at the same instant, 03:30.
    ['2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'],
  ])('from %s: %s', (from, opens) => {
    expect(opensAt(office, at(from))).toEqual(at(opens))
  })

  test('is null when nothing opens within two weeks', () => {
    expect(opensAt({ ...office, weekly: [] }, at('2026-03-02T09:00:00Z'))).toBeNull()
  })
})

describe('validation of opening hours', () => {
  test.each([
    [{ ...office, zone: 'Mars/Olympus' }, '/hours/zone'],
    [{ ...office, zone: '+01:00' }, '/hours/zone'],
    [{ ...office, weekly: [{ day: 'monday', from: '9:00', to: '17:00' }] }, '/hours/weekly/0/from'],
    [
      { ...office, weekly: [{ day: 'monday', from: '24:00', to: '24:00' }] },
      '/hours/weekly/0/from',
    ],
    [{ ...office, weekly: [{ day: 'monday', from: '09:00', to: '24:01' }] }, '/hours/weekly/0/to'],
    [{ ...office, weekly: [{ day: 'monday', from: '09:00', to: '09:00' }] }, '/hours/weekly/0/to'],
  ] as [OpeningHours, string][])(
    'rejects case %# with a pointer to the invalid value',
    (hours, pointer) => {
      expect(() => requireHours(hours, '/hours')).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_FAILED',
          members: expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
        }),
      )
    },
  )

  test('accepts valid hours', () => {
    expect(() => requireHours(office, '/hours')).not.toThrow()
  })
})

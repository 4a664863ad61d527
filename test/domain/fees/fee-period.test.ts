import { describe, expect, test } from 'vitest'
import {
  endedPeriods,
  requestedPeriod,
  periodOf,
} from '../../../subgraphs/fees/domain/fee-period.ts'

describe('fee periods', () => {
  test.each([
    ['monthly', '2026-02-10', '2026-02-01', '2026-02-28'],
    ['monthly', '2024-02-29', '2024-02-01', '2024-02-29'],
    ['monthly', '2026-12-31', '2026-12-01', '2026-12-31'],
    ['quarterly', '2026-05-15', '2026-04-01', '2026-06-30'],
    ['quarterly', '2026-12-31', '2026-10-01', '2026-12-31'],
    ['yearly', '2026-07-01', '2026-01-01', '2026-12-31'],
    ['per-event', '2026-07-31', '2026-07-01', '2026-07-31'],
    ['upfront', '2026-07-31', '2026-07-01', '2026-07-31'],
  ] as const)('%s: %s falls in %s to %s', (frequency, day, start, end) => {
    expect(periodOf(frequency, day)).toEqual({ start, end })
  })

  test('lists ended periods in order, up to a limit', () => {
    const starts = (from: string, today: string, max = 10) =>
      endedPeriods('monthly', from, today, max).map(({ start }) => start)
    expect(starts('2025-11-20', '2026-02-28')).toEqual(['2025-11-01', '2025-12-01', '2026-01-01'])
    expect(starts('2025-11-20', '2026-03-01')).toContain('2026-02-01')
    expect(starts('2025-11-20', '2026-03-01', 2)).toEqual(['2025-11-01', '2025-12-01'])
    expect(starts('2026-03-01', '2026-03-31')).toEqual([])
  })

  test('a requested period is named by its first day and cannot be in the future', () => {
    expect(requestedPeriod('quarterly', '2026-04-01', '2026-05-15').end).toBe('2026-06-30')
    expect(requestedPeriod('quarterly', null, '2026-05-15').start).toBe('2026-04-01')
    for (const start of ['2026-04-02', '2026-05-01', '2026-07-01', '9999-12-01']) {
      expect(() => requestedPeriod('quarterly', start, '2026-05-15')).toThrowError(
        expect.objectContaining({
          code: 'FEE_PERIOD_INVALID',
          members: expect.objectContaining({
            errors: [expect.objectContaining({ pointer: '/periodStart' })],
          }),
        }),
      )
    }
  })
})

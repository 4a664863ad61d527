import { CaseType, RetentionClass } from '../../../subgraphs/casework/model/enumerations.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../../subgraphs/casework/domain/case-type.ts'
import {
  acknowledge,
  alarmOf,
  runClock,
  startClock,
  stopClock,
} from '../../../subgraphs/casework/domain/clock.ts'
import { eraseAtOf } from '../../../subgraphs/casework/domain/retention.ts'

const day = 86_400_000
const start = new Date('2026-03-02T09:00:00Z')
const after = (ms: number) => new Date(start.getTime() + ms)

describe('clock of a case', () => {
  test.each(CaseType.values)(
    '%s: is due after the days of its type and warns before',
    (caseType) => {
      const { days, warnDays } = rulesOf[caseType]
      const clock = startClock(caseType, start)
      expect(clock.dueAt).toEqual(after(days * day))
      expect(clock.warnAt).toEqual(after((days - warnDays) * day))
      expect(warnDays).toBeLessThan(days)
    },
  )

  test('hardship: is due after 21 days and warns five days before', () => {
    expect(rulesOf.hardship).toMatchObject({ days: 21, warnDays: 5 })
  })

  test('counts only running time, however often it is stopped', () => {
    const seconds = fc.integer({ min: 1, max: 3 * 86_400 })
    fc.assert(
      fc.property(fc.array(fc.tuple(seconds, seconds), { maxLength: 8 }), (spells) => {
        let clock = startClock('hardship', start)
        let now = start
        let ran = 0
        for (const [running, standing] of spells) {
          now = new Date(now.getTime() + running * 1000)
          ran += running
          clock = stopClock(clock, now)
          expect(clock.dueAt).toBeNull()
          expect(clock.remainingSeconds).toBe(21 * 86_400 - ran)
          now = new Date(now.getTime() + standing * 1000)
          clock = runClock(clock, 'hardship', now)
        }
        expect(clock.dueAt).toEqual(new Date(now.getTime() + (21 * 86_400 - ran) * 1000))
      }),
    )
  })

  test('raises each alarm once, and none while stopped', () => {
    const clock = startClock('complaint', start)
    expect(alarmOf(clock, after(16 * day - 1))).toBeNull()
    expect(alarmOf(clock, after(16 * day))).toBe('at-risk')
    const warned = acknowledge(clock, 'at-risk', after(16 * day))
    expect(alarmOf(warned, after(21 * day - 1))).toBeNull()
    expect(alarmOf(warned, after(21 * day))).toBe('breached')
    const late = acknowledge(warned, 'breached', after(21 * day))
    expect(alarmOf(late, after(99 * day))).toBeNull()
    expect(late.breachedAt).toEqual(after(21 * day))
    expect(alarmOf(stopClock(clock, after(day)), after(99 * day))).toBeNull()
    // Not polled in between: it goes directly to breached.
    expect(alarmOf(clock, after(22 * day))).toBe('breached')
  })

  test('restores the warning after a stop only if it is still ahead', () => {
    const stopped = stopClock(startClock('complaint', start), after(18 * day))
    expect(runClock(stopped, 'complaint', after(30 * day)).warnAt).toBeNull()
    const early = stopClock(startClock('complaint', start), after(10 * day))
    expect(runClock(early, 'complaint', after(30 * day)).warnAt).toEqual(after(36 * day))
  })

  test('ignores stopping a stopped clock and starting a running one', () => {
    const clock = startClock('complaint', start)
    expect(runClock(clock, 'complaint', after(day))).toBe(clock)
    const stopped = stopClock(clock, after(day))
    expect(stopClock(stopped, after(2 * day))).toBe(stopped)
  })
})

describe('retention period of a document', () => {
  test.each([
    ['short-term', '2026-06-01T15:00:00.000Z'],
    ['servicing', '2028-03-02T09:00:00.000Z'],
    ['complaint', '2029-03-02T09:00:00.000Z'],
    ['due-diligence', '2031-03-02T09:00:00.000Z'],
    ['contract', '2036-03-02T09:00:00.000Z'],
  ] as const)('%s: ends at %s', (retentionClass, until) => {
    expect(eraseAtOf(retentionClass, start).toISOString()).toBe(until)
  })

  test('is at least whole years from a leap day', () => {
    for (const retentionClass of RetentionClass.values.slice(1)) {
      const leap = new Date('2028-02-29T12:00:00Z')
      const years = eraseAtOf(retentionClass, leap).getUTCFullYear() - 2028
      const sameDay = new Date(Date.UTC(2028 + years, 1, 28, 12))
      expect(eraseAtOf(retentionClass, leap) >= sameDay).toBe(true)
    }
  })
})

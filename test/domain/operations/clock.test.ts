import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offsetAfterMove, maxAdvanceMs } from '../../../subgraphs/operations/domain/clock.ts'

const realMs = Date.parse('2026-03-02T09:00:00Z')
const clockAt = (aheadMs: number) => ({
  isMovable: true,
  aheadMs,
  now: new Date(realMs + aheadMs),
})

test('advancing the bank clock results in exactly the target time', () => {
  const spans = fc.integer({ min: 0, max: maxAdvanceMs - 1 })
  fc.assert(
    fc.property(spans, spans, (aheadMs, moreMs) => {
      const to = new Date(realMs + aheadMs + 1 + (moreMs % (maxAdvanceMs - aheadMs)))
      expect(realMs + offsetAfterMove(clockAt(aheadMs), to)).toBe(to.getTime())
    }),
  )
})

test.each([
  ['back by a millisecond', 5, realMs + 4],
  ['to the current time', 5, realMs + 5],
  ['beyond its range', maxAdvanceMs, realMs + maxAdvanceMs + 1],
  ['to the end of the calendar', 0, Date.parse('9999-12-31T23:59:59.999Z')],
])('the bank clock cannot be moved %s', (_name, aheadMs, toMs) => {
  expect(() => offsetAfterMove(clockAt(aheadMs), new Date(toMs))).toThrow(
    expect.objectContaining({ code: 'CLOCK_OUT_OF_RANGE' }),
  )
})

test('the bank clock can be moved to the end of its range', () => {
  expect(offsetAfterMove(clockAt(0), new Date(realMs + maxAdvanceMs))).toBe(maxAdvanceMs)
})

test('a bank clock that is not movable rejects any move', () => {
  const clock = { ...clockAt(0), isMovable: false }
  for (const toMs of [realMs - 1, realMs + 1]) {
    expect(() => offsetAfterMove(clock, new Date(toMs))).toThrow(
      expect.objectContaining({ code: 'CLOCK_NOT_MOVABLE' }),
    )
  }
})

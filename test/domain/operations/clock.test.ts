import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advance, mostAheadMs } from '../../../subgraphs/operations/domain/clock.ts'

const realMs = Date.parse('2026-03-02T09:00:00Z')
const clockAt = (aheadMs: number) => ({
  isMovable: true,
  aheadMs,
  now: new Date(realMs + aheadMs),
})

test('the clock shows what it was moved to, however far ahead it was', () => {
  const spans = fc.integer({ min: 0, max: mostAheadMs - 1 })
  fc.assert(
    fc.property(spans, spans, (aheadMs, moreMs) => {
      const to = new Date(realMs + aheadMs + 1 + (moreMs % (mostAheadMs - aheadMs)))
      expect(realMs + advance(clockAt(aheadMs), to)).toBe(to.getTime())
    }),
  )
})

test.each([
  ['back by a millisecond', 5, realMs + 4],
  ['to where it is', 5, realMs + 5],
  ['beyond its range', mostAheadMs, realMs + mostAheadMs + 1],
  ['to the end of the calendar', 0, Date.parse('9999-12-31T23:59:59.999Z')],
])('it does not move %s', (_name, aheadMs, toMs) => {
  expect(() => advance(clockAt(aheadMs), new Date(toMs))).toThrow(
    expect.objectContaining({ code: 'CLOCK_OUT_OF_RANGE' }),
  )
})

test('it moves to the end of its range', () => {
  expect(advance(clockAt(0), new Date(realMs + mostAheadMs))).toBe(mostAheadMs)
})

test('one that is not movable stays, wherever it should go', () => {
  const clock = { ...clockAt(0), isMovable: false }
  for (const toMs of [realMs - 1, realMs + 1]) {
    expect(() => advance(clock, new Date(toMs))).toThrow(
      expect.objectContaining({ code: 'CLOCK_NOT_MOVABLE' }),
    )
  }
})

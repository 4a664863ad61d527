import { describe, expect, test } from 'vitest'
import { EventRing, type EventBatch } from '../../../kernel/events/event-ring.ts'
import type { EventHeader } from '../../../kernel/events/events.ts'
import { LogLosses } from '../../../kernel/events/log-losses.ts'

const event = (position: number, branch = ''): EventHeader => ({
  position: BigInt(position),
  eventId: `evt_${position}${branch}`,
  type: 'tests.log.grew',
  subject: 'log/1',
  parties: [],
  correlationId: 'test',
})
const events = (from: number, to: number, branch = '') =>
  Array.from({ length: to - from + 1 }, (_, at) => event(from + at, branch))
const place = (position: number, branch: string | null = '') => ({
  position: BigInt(position),
  eventId: branch === null ? null : `evt_${position}${branch}`,
})
const batch = (after: EventBatch['after'], ...list: EventHeader[]): EventBatch => ({
  after,
  events: list,
})

function aRing(from = 5, to = 9): EventRing {
  const ring = new EventRing()
  ring.reset(place(from - 1), events(from, to))
  return ring
}

describe('EventRing', () => {
  test('an empty ring is at the beginning of the log', () => {
    const ring = new EventRing()
    expect(ring.end).toEqual({ position: 0n, eventId: null })
    expect(ring.append(events(1, 2))).toHaveLength(2)
    expect(ring.end).toEqual(place(2))
  })

  test('names the event at a position that it has, and no other', () => {
    const ring = aRing()
    expect([3, 4, 5, 9, 10].map((at) => ring.cursorAt(BigInt(at)).eventId)).toEqual([
      null,
      'evt_4',
      'evt_5',
      'evt_9',
      null,
    ])
  })

  test('returns the events after a position, unless they begin before the ring', () => {
    const ring = aRing()
    expect(ring.after(3n, 10)).toBeNull()
    expect(ring.after(4n, 2)).toEqual(events(5, 6))
    expect(ring.after(8n, 10)).toEqual(events(9, 9))
    expect(ring.after(12n, 10)).toEqual([])
  })

  test.each([
    ['that follows', batch(place(9), event(10)), false],
    ['whose previous event is not known', batch(place(9, null), event(10)), false],
    ['that overlaps', batch(place(6), ...events(7, 11)), false],
    ['from before the ring', batch(place(2, 'b'), event(3, 'b')), false],
    ['after another event', batch(place(9, 'b'), event(10)), true],
    ['with another event at the end', batch(place(8), event(9, 'b')), true],
    ['with another event in the middle', batch(place(5), event(6), event(7, 'b')), true],
    ['without events, after another event', batch(place(9, 'b')), true],
    ['without events, after another event before the ring', batch(place(4, 'b')), true],
  ])('a batch %s', (_, given, conflicts) => {
    expect(aRing().conflictsWith(given)).toBe(conflicts)
  })

  test('a batch leaves a gap only if events are missing', () => {
    const ring = aRing()
    expect(ring.leavesGap(batch(place(9), event(10)))).toBe(false)
    expect(ring.leavesGap(batch(place(10), event(11)))).toBe(true)
  })

  test('appends only what is new, and keeps the event before the first one', () => {
    const ring = aRing()
    expect(ring.append(events(8, 11))).toEqual(events(10, 11))
    for (let at = 12; at <= 16_000; at++) ring.append([event(at)])
    expect(ring.base.eventId).toBe(`evt_${ring.base.position}`)
    expect(ring.after(ring.base.position, 1)).toEqual([event(Number(ring.base.position) + 1)])
    expect(ring.base.position).toBeGreaterThan(0n)
  })

  test('goes back to an event that it has, or to one before', () => {
    const ring = aRing()
    expect(ring.goBackTo(place(7))).toEqual([place(8), place(9)])
    expect(ring.end).toEqual(place(7))
    expect(ring.append(events(8, 8, 'b'))).toHaveLength(1)
    expect(ring.goBackTo(place(4))).toEqual([place(5), place(6), place(7), place(8, 'b')])
    expect(ring.end).toEqual(place(4))
    ring.append(events(5, 6))
    expect(ring.goBackTo(place(2, null))).toEqual([place(4), place(5), place(6)])
    expect(ring.end).toEqual(place(2, null))
  })
})

describe('LogLosses', () => {
  test('a reader after a lost event continues after the last common one', () => {
    const losses = new LogLosses()
    losses.record(place(4), [place(5), place(6)])
    expect(losses.count).toBe(2)
    expect(losses.current(place(6))).toEqual(place(4))
    expect(losses.current(place(6, 'b'))).toEqual(place(6, 'b'))
    expect(losses.current(place(6, null))).toEqual(place(6, null))
    // The next failover loses the common event of the first one.
    losses.record(place(2), [place(3), place(4), place(5, 'b')])
    expect(losses.current(place(6))).toEqual(place(2))
    expect(losses.count).toBe(5)
  })

  test('an event that is in the log again, at its position or another one, keeps no reader back', () => {
    const losses = new LogLosses()
    losses.record(place(4), [place(5), place(6)])
    losses.removeReturned([event(5)])
    expect(losses.has(event(5))).toBe(false)
    expect(losses.current(place(5))).toEqual(place(5))
    const elsewhere = { position: 7n, eventId: 'evt_6' }
    expect(losses.current(elsewhere)).toEqual(elsewhere)
    expect(losses.current(place(6))).toEqual(place(4))
  })
})

import { DeliveryStatus } from '../../../subgraphs/events/model/enumerations.ts'
import { describe, expect, test } from 'vitest'
import { toCloudEvent } from '../../../subgraphs/events/domain/cloud-event.ts'
import {
  afterAttempt,
  deliveryTransitions,
  parseRetryAfter,
  replayStep,
  retryDelaysMs,
} from '../../../subgraphs/events/domain/delivery.ts'

const now = new Date('2026-03-02T09:00:00Z')
const inMs = (ms: number) => new Date(now.getTime() + ms)
const answered = (statusCode: number | null, retryAfter: string | null = null) => ({
  statusCode,
  retryAfter,
})

describe('result of a delivery attempt', () => {
  test.each([200, 201, 202, 204, 299])('%i counts as delivered at every step', (status) => {
    for (let step = 0; step <= retryDelaysMs.length; step++) {
      const after = afterAttempt(step, answered(status), now, 0.5)
      expect(after).toMatchObject({ status: 'delivered', nextAt: null, isGone: false })
    }
  })

  test.each([null, 100, 199, 300, 301, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    '%s is retried on schedule and dead-lettered after ten attempts',
    (status) => {
      const waits: number[] = []
      let step = 0
      for (;;) {
        const after = afterAttempt(step, answered(status), now, 0.5)
        expect(after.isGone).toBe(status === 410)
        if (after.status === 'dead-lettered') break
        expect(after.status).toBe('retrying')
        waits.push(after.nextAt!.getTime() - now.getTime())
        step = after.step
      }
      expect(waits).toEqual(retryDelaysMs)
    },
  )

  test('the retry schedule is the documented one of about three days', () => {
    const minutes = retryDelaysMs.map((ms) => ms / 60_000)
    expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440])
  })

  test('delays vary by up to 10%', () => {
    const wait = (random: number) =>
      afterAttempt(1, answered(500), now, random).nextAt!.getTime() - now.getTime()
    expect([wait(0), wait(0.5), wait(1)]).toEqual([270_000, 300_000, 330_000])
  })

  test('Retry-After extends the delay for 429 and 503 only', () => {
    for (const status of [429, 503]) {
      const after = afterAttempt(0, answered(status, '600'), now, 0.5)
      expect(after).toMatchObject({ nextAt: inMs(600_000), retryAfter: inMs(600_000) })
      const sooner = afterAttempt(2, answered(status, '1'), now, 0.5)
      expect(sooner).toMatchObject({ nextAt: inMs(retryDelaysMs[2]), retryAfter: inMs(1000) })
    }
    expect(afterAttempt(0, answered(500, '600'), now, 0.5).retryAfter).toBeNull()
  })
})

test.each([
  ['120', 120_000],
  ['Mon, 02 Mar 2026 09:01:00 GMT', 60_000],
  ['99999999', 86_400_000],
  ['0', null],
  ['-5', null],
  ['Mon, 02 Mar 2026 08:00:00 GMT', null],
  ['soon', null],
  ['', null],
  [null, null],
])('parses Retry-After: %s as %s ms', (value, wait) => {
  expect(parseRetryAfter(value, now)).toEqual(wait === null ? null : inMs(wait))
})

test('a replay leaves, repeats, revives or plans a delivery, depending on its status', () => {
  expect([...DeliveryStatus.values, null].map((status) => replayStep(status))).toEqual([
    'leave',
    'leave',
    'repeat',
    'revive',
    'plan',
  ])
  expect(deliveryTransitions['dead-lettered']).toEqual(['pending'])
  expect(deliveryTransitions.delivered).toEqual([])
})

test('a CloudEvent has every attribute, and a thin one no data', () => {
  const event = {
    position: 9_007_199_254_740_993n,
    eventId: 'evt_1',
    type: 'parties.party.created',
    subject: 'party/pty_1',
    sequence: 1,
    time: now,
    data: { partyId: 'pty_1' },
    correlationId: 'req-1',
    causationId: null,
    actor: 'client',
  }
  const full = {
    specversion: '1.0',
    id: 'evt_1',
    source: '/banking/parties',
    type: 'parties.party.created',
    subject: 'party/pty_1',
    time: '2026-03-02T09:00:00.000Z',
    datacontenttype: 'application/json',
    sequence: '1',
    position: '9007199254740993',
    correlationid: 'req-1',
    actor: 'client',
    data: { partyId: 'pty_1' },
  }
  expect(toCloudEvent(event, true)).toEqual(full)
  const { data: _, ...thin } = full
  expect(toCloudEvent(event, false)).toEqual(thin)
  expect(toCloudEvent({ ...event, causationId: 'evt_0' }, true)).toEqual({
    ...full,
    causationid: 'evt_0',
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RateLimiter } from '../../gateway/rate-limits.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

describe('Token bucket', () => {
  test('permits a burst, then a number of requests per second', () => {
    const buckets = new RateLimiter({ perSecond: 10, burst: 3 })
    const at = (ms: number) => buckets.take('a', 1000 + ms)
    expect([at(0), at(0), at(0)].map(({ remaining }) => remaining)).toEqual([2, 1, 0])
    expect(at(0)).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 })
    expect(at(99).isAllowed).toBe(false)
    expect(at(100).isAllowed).toBe(true)
    expect(at(101).isAllowed).toBe(false)
    expect(at(10_000).remaining).toBe(2)
  })

  test('counts whole requests at any time of the clock', () => {
    for (let i = 0; i < 10_000; i++) {
      const buckets = new RateLimiter({ perSecond: 1, burst: 5 })
      const { remaining, resetSeconds } = buckets.take('a', i * 1234.5678901234)
      expect([remaining, resetSeconds]).toEqual([4, 1])
    }
  })

  test('permits requests when it refills faster than the clock ticks', () => {
    const buckets = new RateLimiter({ perSecond: 9_999_999, burst: 10 })
    expect(buckets.take('a', 1000)).toMatchObject({ isAllowed: true, remaining: 9 })
  })

  test('counts each name separately and is not drained by rejected requests', () => {
    const buckets = new RateLimiter({ perSecond: 1, burst: 1 })
    expect(buckets.take('a', 0).isAllowed).toBe(true)
    for (let i = 0; i < 50; i++) expect(buckets.take('a', 500).isAllowed).toBe(false)
    expect(buckets.take('b', 500).isAllowed).toBe(true)
    expect(buckets.take('a', 1000).isAllowed).toBe(true)
  })

  test('never exceeds its rate, even when it is called every millisecond', () => {
    const buckets = new RateLimiter({ perSecond: 50, burst: 100 })
    let through = 0
    for (let ms = 0; ms < 10_000; ms++) if (buckets.take('a', ms).isAllowed) through++
    expect(through).toBe(100 + 50 * 10 - 1)
  })
})

test.each(['50', '0:1', '1:0', 'a:b', '50:100:1', '-1:1', '1e3:2'])(
  'rejects the RATE_LIMIT_CLIENT setting %s',
  (text) => {
    expect(() => parseConfig({ RATE_LIMIT_CLIENT: text })).toThrow(/RATE_LIMIT_CLIENT must be/)
  },
)

describe('Rate limits of the server', () => {
  let bank: Platform
  beforeAll(async () => {
    const settings = { RATE_LIMIT_CLIENT: '1:5', RATE_LIMIT_ADDRESS: '1:3' }
    bank = await aPlatform('live', undefined, true, settings)
  })
  afterAll(() => bank.stop())

  const callRest = (token: string | null) => bank.rest('GET', '/agreements', undefined, { token })
  const callGraph = (token: string | null) => bank.graph('{ problems { code } }', {}, { token })

  test.each([
    ['REST', callRest],
    ['graph', callGraph],
  ])(
    'throttles a client over %s, but no other client or delegated user',
    async (server, callServer) => {
      const token = bank.token({ clientId: `client-${server}` })
      const first = await callServer(token)
      const more = await Promise.all(Array.from({ length: 20 }, () => callServer(token)))
      const last = more.find(({ status }) => status === 429)!
      expect(first.status).toBe(200)
      expect(first.headers.get('ratelimit-policy')).toBe('"client";q=5;w=5')
      expect(first.headers.get('ratelimit')).toBe('"client";r=4;t=1')
      const { code, retryable } = last.body.errors?.[0].extensions ?? last.body
      expect([code, retryable]).toEqual(['RATE_LIMITED', true])
      expect(last.headers.get('retry-after')).toBe('1')
      expect(last.headers.get('ratelimit')).toMatch(/^"client";r=0;t=\d$/)
      expect((await callServer(bank.token({ clientId: `other-${server}` }))).status).toBe(200)
      const person = bank.token({ clientId: `client-${server}`, partyId: 'pty_ada' })
      expect((await callServer(person)).status).toBe(200)
    },
  )

  test('throttles an address with invalid or missing tokens, but not a valid token from it', async () => {
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await callRest('no token')).status)
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401])
    const refused = await callGraph(null)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=3;w=3')
    const schema = await bank.graph('{ __typename }', {}, { token: null })
    expect(schema.status).toBe(429)
    const good = bank.token({ clientId: 'a-good-one' })
    expect((await callRest(good)).status).toBe(200)
  })

  test('closes a WebSocket with 4429 when the client has used up its limit', async () => {
    const token = bank.token({ clientId: 'sockets' })
    await Promise.all(Array.from({ length: 20 }, () => callRest(token)))
    const closing = () =>
      new Promise((resolve) => {
        bank
          .socket(token)
          .subscribe(
            { query: 'subscription { businessEvents { eventId } }' },
            { next: resolve, complete: () => undefined, error: resolve },
          )
      })
    // More than may come at once, however long ago the requests were.
    const closed = await Promise.race(Array.from({ length: 10 }, closing))
    expect(closed).toMatchObject({ code: 4429 })
  })
})

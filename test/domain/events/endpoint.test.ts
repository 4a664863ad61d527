import { describe, expect, test } from 'vitest'
import {
  circuitFailures,
  endpointActs,
  endpointMoves,
  endpointStatuses,
  holdAfterFailure,
  isGivenUp,
  liveSecrets,
  moveEndpoint,
  newEndpoint,
  parseTarget,
  rotateSecret,
  type EndpointAct,
} from '../../../subgraphs/events/domain/endpoint.ts'
import {
  moveSubscription,
  subscriptionActs,
  subscriptionMoves,
  subscriptionStatuses,
  type Subscription,
  type SubscriptionAct,
} from '../../../subgraphs/events/domain/subscription.ts'

const now = new Date('2026-03-02T09:00:00Z')
const inMs = (ms: number) => new Date(now.getTime() + ms)
const endpoint = newEndpoint({
  endpointId: 'whk_1',
  clientId: 'client',
  url: 'https://shop.example/hook',
  description: null,
  sealed: 'first',
  contentHash: 'hash',
  end: 7n,
  now,
})

const acts = Object.keys(endpointActs) as EndpointAct[]
describe.each(endpointStatuses)('an endpoint that is %s', (status) => {
  test.each(acts)('%s', (act) => {
    const to = endpointActs[act]
    const move = () => moveEndpoint({ ...endpoint, status }, act, { end: 9n, now })
    if (endpointMoves[status].includes(to)) {
      expect(move()).toMatchObject({ status: to, version: 2 })
      return
    }
    expect(move).toThrow(
      expect.objectContaining({
        code: 'INVALID_STATE_TRANSITION',
        members: expect.objectContaining({
          currentState: status,
          allowedStates: endpointMoves[status],
        }),
      }),
    )
  })
})

const subscriptionActNames = Object.keys(subscriptionActs) as SubscriptionAct[]
describe.each(subscriptionStatuses)('a subscription that is %s', (status) => {
  test.each(subscriptionActNames)('%s', (act) => {
    const to = subscriptionActs[act]
    const untilPosition = status === 'active' ? null : 8n
    const subscription = { status, version: 1, afterPosition: 7n, untilPosition } as Subscription
    const move = () => moveSubscription(subscription, act, { end: 9n, planned: 8n }, now)
    if (subscriptionMoves[status].includes(to)) {
      const places = to === 'active' ? [9n, null] : [7n, 9n]
      const { afterPosition, untilPosition } = move()
      expect([move().status, afterPosition, untilPosition]).toEqual([to, ...places])
      return
    }
    expect(move).toThrow(
      expect.objectContaining({
        code: 'INVALID_STATE_TRANSITION',
        members: expect.objectContaining({ allowedStates: subscriptionMoves[status] }),
      }),
    )
  })
})

test('a pause that ends before all was planned loses nothing', () => {
  const paused = {
    status: 'paused',
    version: 1,
    afterPosition: 7n,
    untilPosition: 12n,
  } as Subscription
  const resumed = (planned: bigint) => {
    const { afterPosition, untilPosition } = moveSubscription(
      paused,
      'resume',
      { end: 20n, planned },
      now,
    )
    return [afterPosition, untilPosition]
  }
  expect(resumed(11n)).toEqual([7n, null])
  expect(resumed(12n)).toEqual([20n, null])
})

describe('secrets', () => {
  test('two sign while one replaces the other, and never three', () => {
    const once = rotateSecret(endpoint, 'second', 24, now)
    const signing = (secrets: typeof once.secrets, at: Date) =>
      liveSecrets(secrets, at).map(({ sealed }) => sealed)
    expect(signing(once.secrets, inMs(86_399_999))).toEqual(['second', 'first'])
    expect(signing(once.secrets, inMs(86_400_000))).toEqual(['second'])
    const twice = rotateSecret(once, 'third', 1, now)
    expect(signing(twice.secrets, now)).toEqual(['third', 'second'])
    expect(signing(rotateSecret(once, 'third', 0, now).secrets, now)).toEqual(['third'])
  })

  test.each([-1, 169])('%i hours are refused', (hours) => {
    const code = 'VALIDATION_FAILED'
    expect(() => rotateSecret(endpoint, 'second', hours, now)).toThrow(
      expect.objectContaining({ code }),
    )
  })

  test('a deleted endpoint gets none', () => {
    const deleted = { ...endpoint, status: 'deleted' as const }
    const code = 'STATE_CONFLICT'
    expect(() => rotateSecret(deleted, 'second', 24, now)).toThrow(
      expect.objectContaining({ code }),
    )
  })
})

describe('addresses', () => {
  const live = { mayUseHttp: false, ports: ['443', '8443'] }
  const sandbox = { mayUseHttp: true, ports: null }

  test.each([
    ['https://shop.example/hook?x=1', live],
    ['https://shop.example:8443/hook', live],
    ['http://shop.example:3000/hook', sandbox],
  ])('%s', (url, rule) => {
    expect(parseTarget(url, rule).href).toBe(url)
  })

  test.each([
    ['http://shop.example/hook', live, 'TARGET_URL_NOT_HTTPS'],
    ['https://shop.example:22/hook', live, 'TARGET_URL_NOT_ALLOWED'],
    ['https://user:secret@shop.example/hook', live, 'TARGET_URL_NOT_ALLOWED'],
    ['https://user@shop.example/hook', sandbox, 'TARGET_URL_NOT_ALLOWED'],
    ['ftp://shop.example/hook', sandbox, 'TARGET_URL_NOT_ALLOWED'],
    ['file:///etc/passwd', sandbox, 'TARGET_URL_NOT_ALLOWED'],
    ['shop.example/hook', sandbox, 'TARGET_URL_NOT_ALLOWED'],
    ['', sandbox, 'TARGET_URL_NOT_ALLOWED'],
    ['https://localhost/hook', live, 'TARGET_URL_NOT_ALLOWED'],
    ['http://localhost./hook', sandbox, 'TARGET_URL_NOT_ALLOWED'],
    ['https://shop.localhost/hook', live, 'TARGET_URL_NOT_ALLOWED'],
    ['http://shop.LOCALHOST./hook', sandbox, 'TARGET_URL_NOT_ALLOWED'],
    [`https://shop.example/${'x'.repeat(2000)}`, live, 'TARGET_URL_NOT_ALLOWED'],
  ])('%s is refused', (url, rule, code) => {
    expect(() => parseTarget(url, rule)).toThrow(
      expect.objectContaining({
        code,
        members: expect.objectContaining({
          errors: [expect.objectContaining({ pointer: '/url' })],
        }),
      }),
    )
  })
})

test('an endpoint that fails again and again is left alone for half a minute, or as it asks', () => {
  expect(holdAfterFailure(circuitFailures - 1, null, now)).toBeNull()
  expect(holdAfterFailure(circuitFailures, null, now)).toEqual(inMs(30_000))
  expect(holdAfterFailure(1, inMs(5000), now)).toEqual(inMs(5000))
  expect(holdAfterFailure(circuitFailures, inMs(5000), now)).toEqual(inMs(30_000))
  expect(holdAfterFailure(circuitFailures, inMs(60_000), now)).toEqual(inMs(60_000))
})

test('five days of nothing but failures are enough', () => {
  const days = (count: number) => inMs(count * 86_400_000)
  expect(isGivenUp(null, days(9))).toBe(false)
  expect(isGivenUp(now, days(4.99))).toBe(false)
  expect(isGivenUp(now, days(5))).toBe(true)
})

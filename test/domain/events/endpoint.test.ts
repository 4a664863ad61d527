import { EndpointStatus, SubscriptionStatus } from '../../../subgraphs/events/model/enumerations.ts'
import { describe, expect, test } from 'vitest'
import {
  circuitFailures,
  endpointActions,
  endpointTransitions,
  holdAfterFailure,
  isAbandoned,
  liveSecrets,
  transitionEndpoint,
  newEndpoint,
  parseTarget,
  rotateSecret,
  type EndpointAction,
} from '../../../subgraphs/events/domain/endpoint.ts'
import {
  transitionSubscription,
  subscriptionActions,
  subscriptionTransitions,
  type Subscription,
  type SubscriptionAction,
} from '../../../subgraphs/events/domain/subscription.ts'

const now = new Date('2026-03-02T09:00:00Z')
const inMs = (ms: number) => new Date(now.getTime() + ms)
const endpoint = newEndpoint({
  endpointId: 'whk_1',
  clientId: 'client',
  url: 'https://shop.example/hook',
  description: null,
  encrypted: 'first',
  contentHash: 'hash',
  end: 7n,
  now,
})

const actions = Object.keys(endpointActions) as EndpointAction[]
describe.each(EndpointStatus.values)('actions on a webhook endpoint that is %s', (status) => {
  test.each(actions)('%s follows the table of transitions', (act) => {
    const to = endpointActions[act]
    const transition = () => transitionEndpoint({ ...endpoint, status }, act, { end: 9n, now })
    if (endpointTransitions[status].includes(to)) {
      expect(transition()).toMatchObject({ status: to, version: 2 })
      return
    }
    expect(transition).toThrow(
      expect.objectContaining({
        code: 'INVALID_STATE_TRANSITION',
        members: expect.objectContaining({
          currentState: status,
          allowedStates: endpointTransitions[status],
        }),
      }),
    )
  })
})

const subscriptionActNames = Object.keys(subscriptionActions) as SubscriptionAction[]
describe.each(SubscriptionStatus.values)(
  'actions on an event subscription that is %s',
  (status) => {
    test.each(subscriptionActNames)('%s follows the table of transitions', (act) => {
      const to = subscriptionActions[act]
      const untilPosition = status === 'active' ? null : 8n
      const subscription = { status, version: 1, afterPosition: 7n, untilPosition } as Subscription
      const transition = () =>
        transitionSubscription(subscription, act, { end: 9n, planned: 8n }, now)
      if (subscriptionTransitions[status].includes(to)) {
        const places = to === 'active' ? [9n, null] : [7n, 9n]
        const { afterPosition, untilPosition } = transition()
        expect([transition().status, afterPosition, untilPosition]).toEqual([to, ...places])
        return
      }
      expect(transition).toThrow(
        expect.objectContaining({
          code: 'INVALID_STATE_TRANSITION',
          members: expect.objectContaining({ allowedStates: subscriptionTransitions[status] }),
        }),
      )
    })
  },
)

test('resuming before earlier events were planned for delivery loses none of them', () => {
  const paused = {
    status: 'paused',
    version: 1,
    afterPosition: 7n,
    untilPosition: 12n,
  } as Subscription
  const resumed = (planned: bigint) => {
    const { afterPosition, untilPosition } = transitionSubscription(
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

describe('secrets of a webhook endpoint', () => {
  test('two secrets sign during a rotation, never three', () => {
    const once = rotateSecret(endpoint, 'second', 24, now)
    const signing = (secrets: typeof once.secrets, at: Date) =>
      liveSecrets(secrets, at).map(({ encrypted: encryptedSecret }) => encryptedSecret)
    expect(signing(once.secrets, inMs(86_399_999))).toEqual(['second', 'first'])
    expect(signing(once.secrets, inMs(86_400_000))).toEqual(['second'])
    const twice = rotateSecret(once, 'third', 1, now)
    expect(signing(twice.secrets, now)).toEqual(['third', 'second'])
    expect(signing(rotateSecret(once, 'third', 0, now).secrets, now)).toEqual(['third'])
  })

  test.each([-1, 169])('rejects an overlap of %i hours', (hours) => {
    const code = 'VALIDATION_FAILED'
    expect(() => rotateSecret(endpoint, 'second', hours, now)).toThrow(
      expect.objectContaining({ code }),
    )
  })

  test('rejects rotating the secret of a deleted endpoint', () => {
    const deleted = { ...endpoint, status: 'deleted' as const }
    const code = 'STATE_CONFLICT'
    expect(() => rotateSecret(deleted, 'second', 24, now)).toThrow(
      expect.objectContaining({ code }),
    )
  })
})

describe('target URLs of a webhook endpoint', () => {
  const live = { mayUseHttp: false, ports: ['443', '8443'] }
  const sandbox = { mayUseHttp: true, ports: null }

  test.each([
    ['https://shop.example/hook?x=1', live],
    ['https://shop.example:8443/hook', live],
    ['http://shop.example:3000/hook', sandbox],
  ])('accepts %s', (url, rule) => {
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
  ])('rejects %s', (url, rule, code) => {
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

test('an endpoint that keeps failing is paused for 30 seconds or as long as its Retry-After says', () => {
  expect(holdAfterFailure(circuitFailures - 1, null, now)).toBeNull()
  expect(holdAfterFailure(circuitFailures, null, now)).toEqual(inMs(30_000))
  expect(holdAfterFailure(1, inMs(5000), now)).toEqual(inMs(5000))
  expect(holdAfterFailure(circuitFailures, inMs(5000), now)).toEqual(inMs(30_000))
  expect(holdAfterFailure(circuitFailures, inMs(60_000), now)).toEqual(inMs(60_000))
})

test('an endpoint is abandoned after five days of failures only', () => {
  const days = (count: number) => inMs(count * 86_400_000)
  expect(isAbandoned(null, days(9))).toBe(false)
  expect(isAbandoned(now, days(4.99))).toBe(false)
  expect(isAbandoned(now, days(5))).toBe(true)
})

import { expect, test } from 'vitest'
import { LogInThrottle } from '../../../oauth/log-in-throttle.ts'
import { Throttle } from '../../../oauth/throttle.ts'

const attempt = (username: string, address: string, isKnownDevice = false) => ({
  username,
  address,
  isKnownDevice,
})

/** How many of so many attempts at once, whose result nobody knows yet, may look at the password. */
function begun(
  throttle: LogInThrottle,
  count: number,
  at: (n: number) => ReturnType<typeof attempt>,
) {
  return Array.from({ length: count }, (_, n) => throttle.begin(at(n))).filter(
    ({ delayMs }) => delayMs === 0,
  ).length
}

test('delays begin after the free failures, double with each, and stop at the longest', () => {
  let now = 0
  const throttle = new Throttle(() => now)
  const delays = Array.from({ length: 7 }, () => {
    throttle.countFailure('key', { free: 3, maxDelayMs: 6000 })
    const delay = throttle.delayMs('key')
    now += delay
    return delay
  })
  expect(delays).toEqual([0, 0, 1000, 2000, 4000, 6000, 6000])
  now += 60 * 60_000
  throttle.countFailure('key', { free: 3, maxDelayMs: 6000 })
  expect(throttle.delayMs('key')).toBe(0)
})

test('guesses of one name from one address are few, however many come at the same time', () => {
  const throttle = new LogInThrottle(() => 0)
  expect(begun(throttle, 50, () => attempt('ada', 'here'))).toBe(5)
})

test('failures of others lock nobody out: neither the person at another address, nor their own browser', () => {
  const throttle = new LogInThrottle(() => 0)
  for (let n = 0; n < 300; n++) throttle.begin(attempt('ada', `address-${n % 3}`))
  expect(throttle.begin(attempt('ada', 'home')).delayMs).toBe(0)
  expect(throttle.begin(attempt('ada', 'address-1')).delayMs).toBeGreaterThan(0)
  expect(throttle.begin(attempt('ada', 'address-1', true)).delayMs).toBe(0)
})

test('a hundred failures of an address delay its other names by seconds, and known browsers not at all', () => {
  const throttle = new LogInThrottle(() => 0)
  expect(begun(throttle, 150, (n) => attempt(`name-${n}`, 'office'))).toBe(100)
  const { delayMs } = throttle.begin(attempt('grace', 'office'))
  expect(delayMs).toBeGreaterThan(0)
  expect(delayMs).toBeLessThanOrEqual(5000)
  expect(throttle.begin(attempt('grace', 'office', true)).delayMs).toBe(0)
})

test('a log-in that succeeds forgets the failures of its name', () => {
  const throttle = new LogInThrottle(() => 0)
  for (let n = 0; n < 40; n++) {
    expect(throttle.begin(attempt('ada', 'here')).delayMs).toBe(0)
    if (n % 4 === 3) throttle.succeeded(attempt('ada', 'here'))
  }
})

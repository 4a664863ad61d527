/** Failed log-ins are counted across processes and delay the attacker only. */
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FailedAttempts, pruneFailedAttempts } from '../../oauth/failed-attempts.ts'
import { LogInThrottle, type LogInAttempt } from '../../oauth/log-in-throttle.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import { fixedRing } from '../../kernel/environment/key-ring.ts'

const secret = 'a secret that the processes share'
let database: FreshDatabase
let pools: Pool[]
beforeAll(async () => {
  database = await freshDatabase()
  // Two pools stand in for two processes on one database.
  pools = [0, 1].map(() => new Pool({ connectionString: database.url, max: 8 }))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})
let throttles: LogInThrottle[]
beforeEach(async () => {
  await pools[0]!.query('delete from oauth.failed_attempt')
  throttles = pools.map((pool) => new LogInThrottle(new FailedAttempts(pool, fixedRing(secret))))
})

const attempt = (username: string, address: string, isKnownDevice = false): LogInAttempt => ({
  username,
  address,
  isKnownDevice,
})
const rows = async () => (await pools[0]!.query('select * from oauth.failed_attempt')).rows

/** Fails a log-in in one of the processes, unless it is delayed. Returns the delay. */
async function fail(process: number, one: LogInAttempt): Promise<number> {
  const throttle = throttles[process]!
  const { delayMs, state } = await throttle.begin(one)
  if (delayMs === 0) await throttle.recordFailure(one, state)
  return delayMs
}

async function succeed(process: number, one: LogInAttempt): Promise<number> {
  const throttle = throttles[process]!
  const { delayMs, state } = await throttle.begin(one)
  if (delayMs === 0) await throttle.recordSuccess(one, state)
  return delayMs
}

/** Ends all current delays. */
const wait = () =>
  pools[0]!.query(`update oauth.failed_attempt set wait_until = now() - interval '1 second'`)

describe('Failed log-ins of one name from one address', () => {
  test('delays attempts after five failures, counted across processes', async () => {
    const delays = []
    for (let n = 0; n < 8; n++) delays.push(await fail(n % 2, attempt('ada', 'here')))
    expect(delays.map((delay) => delay > 0)).toEqual([...Array(5).fill(false), true, true, true])
  })

  test('delays attempts after at most six failures when they are concurrent', async () => {
    const looked = await Promise.all(
      Array.from({ length: 60 }, (_, n) => fail(n % 2, attempt('ada', 'here'))),
    )
    // Each process may have state its first attempt before it sees those of the other.
    const allowed = looked.filter((delay) => delay === 0).length
    expect(allowed).toBeGreaterThanOrEqual(5)
    expect(allowed).toBeLessThanOrEqual(6)
  })

  test('doubles the delay with each failure, from a second up to 15 minutes', async () => {
    const delays: number[] = []
    for (let n = 0; n < 18; n++) {
      await wait()
      expect(await fail(n % 2, attempt('ada', 'here'))).toBe(0)
      const { delayMs } = await new FailedAttempts(pools[0]!, fixedRing(secret)).peek([
        'p here ada',
      ])
      delays.push(Math.ceil(delayMs / 1000))
    }
    expect(delays).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })

  test('ignores and prunes expired failures', async () => {
    for (let n = 0; n < 6; n++) await fail(0, attempt('ada', 'here'))
    await pools[0]!.query(
      `update oauth.failed_attempt set expires_at = now() - interval '1 second'`,
    )
    expect(await fail(1, attempt('ada', 'here'))).toBe(0)
    expect((await rows()).map(({ count }) => count)).toEqual([1, 1, 1])
    await pools[0]!.query(
      `update oauth.failed_attempt set expires_at = now() - interval '1 second'`,
    )
    await pruneFailedAttempts(pools[1]!)
    expect(await rows()).toEqual([])
  })
})

test('delays neither the person at another address nor their known browser', async () => {
  for (let n = 0; n < 60; n++) {
    await wait()
    await fail(n % 2, attempt('ada', `address-${n % 3}`))
  }
  await fail(0, attempt('ada', 'address-1'))
  expect((await throttles[0]!.begin(attempt('ada', 'home'))).delayMs).toBe(0)
  expect((await throttles[1]!.begin(attempt('ada', 'address-1'))).delayMs).toBeGreaterThan(0)
  expect((await throttles[1]!.begin(attempt('ada', 'address-1', true))).delayMs).toBe(0)
})

test('delays other names of an address by seconds after 100 failures, but no known browsers', async () => {
  let looked = 0
  for (let n = 0; n < 105; n++)
    looked += Number((await fail(n % 2, attempt(`name-${n}`, 'office'))) === 0)
  expect(looked).toBe(100)
  const { delayMs } = await throttles[0]!.begin(attempt('grace', 'office'))
  expect(delayMs).toBeGreaterThan(0)
  expect(delayMs).toBeLessThanOrEqual(5000)
  expect((await throttles[1]!.begin(attempt('grace', 'office', true))).delayMs).toBe(0)
})

test('resets the failures of a name after a successful log-in, and writes nothing without failures', async () => {
  expect(await succeed(0, attempt('ada', 'here'))).toBe(0)
  expect(await rows()).toEqual([])
  for (let n = 0; n < 40; n++) {
    const isRight = n % 4 === 3
    expect(await (isRight ? succeed : fail)(n % 2, attempt('ada', 'here'))).toBe(0)
  }
})

test('counts concurrent failures of one name in two processes once each', async () => {
  const counts = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const one = attempt('ada', `address-${n}`)
      const throttle = throttles[n % 2]!
      const { state } = await throttle.begin(one)
      return throttle.recordFailure(one, state)
    }),
  )
  expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
})

test('stores neither names nor addresses in clear text', async () => {
  await fail(0, attempt('ada', '198.51.100.7'))
  expect(JSON.stringify(await rows())).not.toMatch(/ada|198\.51/)
})

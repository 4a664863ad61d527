/** Failures are counted for all processes together, and cost those who guess and nobody else. */
import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FailedAttempts, pruneFailedAttempts } from '../../oauth/failed-attempts.ts'
import { LogInThrottle, type LogInAttempt } from '../../oauth/log-in-throttle.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'

const secret = 'a secret that the processes share'
let database: FreshDatabase
let pools: Pool[]
beforeAll(async () => {
  database = await freshDatabase()
  // Two processes on one database.
  pools = [0, 1].map(() => new Pool({ connectionString: database.url, max: 8 }))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})
let throttles: LogInThrottle[]
beforeEach(async () => {
  await pools[0]!.query('delete from oauth.failed_attempt')
  throttles = pools.map((pool) => new LogInThrottle(new FailedAttempts(pool, secret)))
})

const attempt = (username: string, address: string, isKnownDevice = false): LogInAttempt => ({
  username,
  address,
  isKnownDevice,
})
const rows = async () => (await pools[0]!.query('select * from oauth.failed_attempt')).rows

/** Tries a wrong password in one of the processes. Returns whether it was looked at, and the delay. */
async function fail(process: number, one: LogInAttempt): Promise<number> {
  const throttle = throttles[process]!
  const { delayMs, begun } = await throttle.begin(one)
  if (delayMs === 0) await throttle.failed(one, begun)
  return delayMs
}

async function succeed(process: number, one: LogInAttempt): Promise<number> {
  const throttle = throttles[process]!
  const { delayMs, begun } = await throttle.begin(one)
  if (delayMs === 0) await throttle.succeeded(one, begun)
  return delayMs
}

/** Lets the delays of everything pass. */
const wait = () => pools[0]!.query('update oauth.failed_attempt set wait_until = now()')

describe('guesses of one name from one address', () => {
  test('are five before they wait, in however many processes', async () => {
    const delays = []
    for (let n = 0; n < 8; n++) delays.push(await fail(n % 2, attempt('ada', 'here')))
    expect(delays.map((delay) => delay > 0)).toEqual([...Array(5).fill(false), true, true, true])
  })

  test('are as few when all of them come at once', async () => {
    const looked = await Promise.all(
      Array.from({ length: 60 }, (_, n) => fail(n % 2, attempt('ada', 'here'))),
    )
    // The first of each process is under way before it can know of the others.
    const allowed = looked.filter((delay) => delay === 0).length
    expect(allowed).toBeGreaterThanOrEqual(5)
    expect(allowed).toBeLessThanOrEqual(6)
  })

  test('wait for a second that doubles with each failure, up to a quarter of an hour', async () => {
    const delays: number[] = []
    for (let n = 0; n < 18; n++) {
      await wait()
      expect(await fail(n % 2, attempt('ada', 'here'))).toBe(0)
      const { delayMs } = await new FailedAttempts(pools[0]!, secret).peek(['p here ada'])
      delays.push(Math.ceil(delayMs / 1000))
    }
    expect(delays).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })

  test('are forgotten an hour after the last one, and the table is pruned', async () => {
    for (let n = 0; n < 6; n++) await fail(0, attempt('ada', 'here'))
    await pools[0]!.query('update oauth.failed_attempt set forget_at = now()')
    expect(await fail(1, attempt('ada', 'here'))).toBe(0)
    expect((await rows()).map(({ count }) => count)).toEqual([1, 1, 1])
    await pools[0]!.query('update oauth.failed_attempt set forget_at = now()')
    await pruneFailedAttempts(pools[1]!)
    expect(await rows()).toEqual([])
  })
})

test('failures of others lock nobody out: neither the person at another address, nor their own browser', async () => {
  for (let n = 0; n < 60; n++) {
    await wait()
    await fail(n % 2, attempt('ada', `address-${n % 3}`))
  }
  await fail(0, attempt('ada', 'address-1'))
  expect((await throttles[0]!.begin(attempt('ada', 'home'))).delayMs).toBe(0)
  expect((await throttles[1]!.begin(attempt('ada', 'address-1'))).delayMs).toBeGreaterThan(0)
  expect((await throttles[1]!.begin(attempt('ada', 'address-1', true))).delayMs).toBe(0)
})

test('a hundred failures of an address delay its other names by seconds, and known browsers not at all', async () => {
  let looked = 0
  for (let n = 0; n < 105; n++)
    looked += Number((await fail(n % 2, attempt(`name-${n}`, 'office'))) === 0)
  expect(looked).toBe(100)
  const { delayMs } = await throttles[0]!.begin(attempt('grace', 'office'))
  expect(delayMs).toBeGreaterThan(0)
  expect(delayMs).toBeLessThanOrEqual(5000)
  expect((await throttles[1]!.begin(attempt('grace', 'office', true))).delayMs).toBe(0)
})

test('a log-in that succeeds forgets the failures of its name, and writes nothing where there were none', async () => {
  expect(await succeed(0, attempt('ada', 'here'))).toBe(0)
  expect(await rows()).toEqual([])
  for (let n = 0; n < 40; n++) {
    const isRight = n % 4 === 3
    expect(await (isRight ? succeed : fail)(n % 2, attempt('ada', 'here'))).toBe(0)
  }
})

test('failures of a name are counted once each, whoever counts them', async () => {
  const counts = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const one = attempt('ada', `address-${n}`)
      const throttle = throttles[n % 2]!
      const { begun } = await throttle.begin(one)
      return throttle.failed(one, begun)
    }),
  )
  expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
})

test('the table names nobody', async () => {
  await fail(0, attempt('ada', '198.51.100.7'))
  expect(JSON.stringify(await rows())).not.toMatch(/ada|198\.51/)
})

/** What a process reports about itself while its database is well. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Readiness } from '../../host/readiness.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

let platform: Platform
let readiness: Readiness
beforeAll(async () => {
  platform = await aPlatform('live', undefined, true)
  readiness = new Readiness(platform.bank)
  await readiness.start()
})
afterAll(async () => {
  await readiness.stop()
  await platform.stop()
})

const causes = async () => (await readiness.report()).causes

test('the probe writes one row for each process, and measures the log and the clock', async () => {
  const { rows } = await platform.bank.pool.query('select from kernel.process_probe')
  expect(rows).toHaveLength(2)
  const { durationMs, skewMs, head, outboxLength } = readiness.lastProbe!
  expect(durationMs).toBeLessThan(1000)
  expect(Math.abs(skewMs)).toBeLessThan(1000)
  expect(head).toBe(platform.bank.events.head)
  expect(outboxLength).toBe(0)
})

test('a worker that is late degrades the process', async () => {
  const delay = { name: 'events.plan-webhooks', failingMs: 61_000, runningMs: 0 }
  readiness.watchWorkers(() => [delay])
  expect(await readiness.report()).toMatchObject({ isReady: true, causes: ['worker-behind'] })
  delay.failingMs = 0
  expect(await causes()).toEqual([])
})

test('requests that wait for a connection degrade the process, and do not stop its probe', async () => {
  const { pool } = platform.bank
  const waiting = Array.from({ length: pool.options.max! + 5 }, () =>
    pool.query('select pg_sleep(9)').catch(() => undefined),
  )
  await eventually(async () => (await causes()).includes('pool-exhausted'), 9000)
  expect(await readiness.report()).toMatchObject({ isReady: true, isReadable: true })
  await Promise.all(waiting)
  await eventually(async () => (await causes()).length === 0)
}, 40_000)

test('a clock that differs from that of the database degrades the process', async () => {
  const realNow = Date.now.bind(Date)
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 10_000)
  try {
    await eventually(async () => (await causes()).includes('clock-skew'), 12_000)
    expect(readiness.lastProbe!.skewMs).toBeLessThan(-9000)
    expect((await readiness.report()).isReady).toBe(true)
  } finally {
    clock.mockRestore()
  }
  await eventually(async () => (await causes()).length === 0, 12_000)
}, 40_000)

test('events that do not get their positions degrade the process, which still accepts writes', async () => {
  const client = await platform.bank.pool.connect()
  try {
    await client.query('set idle_in_transaction_session_timeout = 0')
    await client.query('begin')
    await client.query('select from kernel.head for update')
    const { body } = await platform.graph(
      `mutation { createParty(input: { partyId: "pty_late", kind: PERSON, givenName: "A", familyName: "B" }) { partyId } }`,
    )
    expect(body.errors).toBe(undefined)
    await eventually(async () => (await causes()).includes('outbox-stuck'), 40_000)
    expect(await readiness.report()).toMatchObject({ isReady: true, causes: ['outbox-stuck'] })
    expect(readiness.lastProbe!.outboxLength).toBeGreaterThan(0)
  } finally {
    await client.query('rollback')
    client.release(true)
  }
  await eventually(async () => (await causes()).length === 0, 12_000)
}, 80_000)

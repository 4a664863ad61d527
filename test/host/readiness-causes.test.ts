/** Why a process is not ready, or degraded: pure rules, and the delays of workers. */
import { expect, test } from 'vitest'
import {
  canServe,
  causesOf,
  degradations,
  writeFaults,
  type Observations,
} from '../../host/readiness-causes.ts'
import { delayOf, newTally, type Tally } from '../../kernel/work/tally.ts'

const gibibyte = 1024 ** 3
const allWell: Observations = {
  writeFault: null,
  isReadable: true,
  ledgerFindings: 0,
  poolExhaustedMs: 0,
  disk: { freeBytes: 50 * gibibyte, totalBytes: 100 * gibibyte },
  eventLogBehindMs: 0,
  outboxStuckMs: 0,
  workers: [{ name: 'lending.end-of-day', failingMs: 0, runningMs: 0 }],
  isBrokerConnected: true,
  clockSkewMs: 0,
}
const causes = (seen: Partial<Observations>) => causesOf({ ...allWell, ...seen })
const worker = (failingMs: number, runningMs: number) => [{ name: 'a.b', failingMs, runningMs }]

test('all is well, or there is no broker and no known disk', () => {
  expect(causesOf(allWell)).toEqual([])
  expect(causes({ isBrokerConnected: null, disk: null })).toEqual([])
})

test.each(writeFaults)('cannot serve when writes fail: %s', (writeFault) => {
  expect(causes({ writeFault })).toEqual([writeFault])
  expect(canServe(causes({ writeFault }))).toBe(false)
})

test('a database that does not answer is unreachable even if the last write succeeded', () => {
  const seen = { isReadable: false, ledgerFindings: null }
  expect(causes(seen)).toEqual(['database-unreachable'])
  expect(causes({ ...seen, writeFault: 'write-timeout' })).toEqual([
    'database-unreachable',
    'write-timeout',
  ])
})

const degraded: Record<string, [bad: Partial<Observations>, good: Partial<Observations>]> = {
  'ledger-findings': [{ ledgerFindings: 1 }, { ledgerFindings: 0 }],
  'pool-exhausted': [{ poolExhaustedMs: 3000 }, { poolExhaustedMs: 2999 }],
  'disk-low': [
    { disk: { freeBytes: 1.9 * gibibyte, totalBytes: 100 * gibibyte } },
    // A small disk with much of it free, and a large disk with a small share of it free.
    { disk: { freeBytes: 1.9 * gibibyte, totalBytes: 20 * gibibyte } },
  ],
  'event-log-behind': [{ eventLogBehindMs: 10_000 }, { eventLogBehindMs: 9999 }],
  'outbox-stuck': [{ outboxStuckMs: 10_000 }, { outboxStuckMs: 9999 }],
  'worker-behind': [{ workers: worker(60_001, 0) }, { workers: worker(60_000, 300_000) }],
  'broker-disconnected': [{ isBrokerConnected: false }, { isBrokerConnected: true }],
  'clock-skew': [{ clockSkewMs: -2001 }, { clockSkewMs: 2000 }],
}

test('every degradation is tested', () => {
  expect(Object.keys(degraded)).toEqual([...degradations])
})

test.each(Object.entries(degraded))('serves while degraded: %s', (name, [bad, good]) => {
  expect(causes(bad)).toEqual([name])
  expect(canServe(causes(bad))).toBe(true)
  expect(causes(good)).toEqual([])
})

test('a pass of a worker that completes no batch for five minutes is late', () => {
  expect(causes({ workers: worker(0, 300_001) })).toEqual(['worker-behind'])
})

const now = new Date('2026-03-01T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
const job = { name: 'a.b', purpose: '', everyMs: 1000 }
const delay = (tally: Partial<Tally>) => delayOf({ ...newTally(job), ...tally }, now)

test('the delay of a worker is since its first failure, or since its last batch', () => {
  expect(delay({})).toMatchObject({ failingMs: 0, runningMs: 0 })
  expect(delay({ failingSince: ago(90), runningSince: ago(1) })).toMatchObject({
    failingMs: 90_000,
    runningMs: 1000,
  })
  expect(delay({ runningSince: ago(60), workedAt: ago(70) }).runningMs).toBe(60_000)
  expect(delay({ runningSince: ago(60), workedAt: ago(5) }).runningMs).toBe(5000)
})

test('a worker that runs until it is stopped is late only while it fails', () => {
  const continuous = { job: { ...job, runsUntilStopped: true } }
  expect(delay({ ...continuous, runningSince: ago(900) }).runningMs).toBe(0)
  const failed = { ...continuous, failingSince: ago(100) }
  expect(delay({ ...failed, runningSince: ago(4) }).failingMs).toBe(100_000)
  expect(delay({ ...failed, runningSince: ago(31) }).failingMs).toBe(0)
})

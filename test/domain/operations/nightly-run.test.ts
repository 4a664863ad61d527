import { describe, expect, test } from 'vitest'
import { nightlyRunOf } from '../../../subgraphs/operations/domain/nightly-run.ts'
import type { Job } from '../../../subgraphs/operations/domain/job.ts'

const at = new Date('2026-03-02T00:10:00Z')
const ago = (seconds: number) => new Date(at.getTime() - seconds * 1000)
const moment = { today: '2026-03-02', at, staleAfterMs: 60_000 } as const

/** A job that ran after midnight and found no more work. */
const finished: Job = {
  name: 'lending.end-of-day',
  purpose: 'Closes the business date.',
  everyMs: 60_000,
  businessDate: '2026-03-02',
  seenAt: ago(5),
  runningSince: null,
  runningUntil: null,
  workedAt: ago(300),
  lastDone: 12,
  succeededAt: ago(20),
  failedAt: null,
  errorCode: null,
  errorDetail: null,
  progressDate: '2026-03-01',
  progressDone: 12,
  progressTotal: 12,
  requestedAt: null,
  requestedBy: null,
  nightlyPhase: 'loans',
  version: 1,
}
/** It processed 40 of 100 records in 20 seconds. */
const running: Partial<Job> = {
  runningSince: ago(22),
  runningUntil: new Date(at.getTime() + 10_000),
  workedAt: ago(2),
  lastDone: 40,
  progressDone: 40,
  progressTotal: 100,
}

const runOf = (...changes: Partial<Job>[]) =>
  nightlyRunOf(
    changes.map((change) => ({ ...finished, ...change })),
    moment,
  )

describe('the status of a step', () => {
  test.each<[string, Partial<Job>, string]>([
    ['found no more work after midnight', {}, 'completed'],
    ['has no progress to report', { progressDate: null, progressDone: null }, 'completed'],
    [
      'had nothing to do on that date',
      { progressDate: '2026-02-27', progressDone: 3 },
      'completed',
    ],
    ['has not run since midnight', { businessDate: '2026-03-01' }, 'pending'],
    ['has never run', { businessDate: null, succeededAt: null }, 'pending'],
    ['has left out records', { progressDone: 11 }, 'pending'],
    ['is at work', running, 'running'],
    ['failed last', { failedAt: ago(10) }, 'failed'],
    ['succeeded after a failure', { failedAt: ago(30) }, 'completed'],
    ['is not reported by any process', { seenAt: ago(61) }, 'stale'],
  ])('of a job that %s', (_, change, status) => {
    expect(runOf(change)).toMatchObject({
      businessDate: '2026-03-01',
      status,
      steps: [{ phase: 'loans', status }],
    })
  })
})

test('shows the steps by phase and name, and leaves other jobs out', () => {
  const { steps } = runOf(
    { name: 'provisioning.run', nightlyPhase: 'provisions' },
    { name: 'lending.end-of-day' },
    { name: 'lending.other', nightlyPhase: null },
    { name: 'parties.expire-agreements', nightlyPhase: 'validity' },
    { name: 'lending.start-and-end-payment-holidays' },
  )
  expect(steps.map(({ job }) => job.name)).toEqual([
    'parties.expire-agreements',
    'lending.end-of-day',
    'lending.start-and-end-payment-holidays',
    'provisioning.run',
  ])
})

test('has the most urgent status of its steps', () => {
  const failed = { failedAt: ago(10) }
  const pending = { businessDate: null }
  expect(runOf({}, pending).status).toBe('pending')
  expect(runOf({}, pending, running).status).toBe('running')
  expect(runOf(running, { seenAt: ago(90) }).status).toBe('stale')
  expect(runOf(running, { seenAt: ago(90) }, failed).status).toBe('failed')
  expect(runOf().status).toBe('pending')
})

test('estimates the end from the records that the run has processed', () => {
  // 60 records are left, each takes half a second, counted from the latest report of progress.
  const end = new Date(ago(2).getTime() + 30_000)
  expect(runOf(running, {})).toMatchObject({ estimatedEndAt: end, status: 'running' })
  expect(runOf(running).steps[0]!.estimatedEndAt).toEqual(end)
  const slower = { ...running, progressTotal: 220 }
  expect(runOf(running, slower).estimatedEndAt).toEqual(new Date(ago(2).getTime() + 90_000))
})

test.each<[string, Partial<Job>]>([
  ['the number of records is not known', { progressTotal: null }],
  ['the run has not processed any', { workedAt: ago(300) }],
])('has no estimate if %s', (_, change) => {
  expect(runOf(running, { ...running, ...change }).estimatedEndAt).toBeNull()
})

/** The progress of jobs is read after runs, and not while nothing happens. */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { JobRecorder } from '../../../kernel/work/jobs.ts'
import { bankContext, type Worker } from '../../../kernel/work/worker.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => bank.drop())

/** A process that does a job whose progress is `done`. */
function aProcess() {
  const state = { reads: 0, done: 0 }
  const job: Worker = {
    name: 'tests.counts',
    purpose: 'Is counted.',
    everyMs: 3_600_000,
    run: () => Promise.resolve(0),
    progress() {
      state.reads++
      return Promise.resolve({ businessDate: '2026-01-01', done: state.done, total: 9 })
    },
  }
  const recorder = new JobRecorder(bank.bank, [job], () => bankContext(bank.bank))
  return {
    state,
    recorder,
    async run(done: number) {
      state.done = done
      recorder.recordStart(job.name)
      recorder.recordProgress(job.name, 1)
      recorder.recordEnd(job.name)
      await recorder.write()
    },
  }
}
const recorded = async () =>
  (
    await bank.rows("select progress_done::int as done from kernel.job where name = 'tests.counts'")
  )[0]!

test('the progress is read after a run, and not with each record of the job', async () => {
  const { state, recorder, run } = aProcess()
  await run(3)
  expect(state.reads).toBe(1)
  // Jobs without changes are recorded every 20 seconds.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  const [before] = await bank.rows('select max(seen_at) as at from kernel.job')
  await recorder.write()
  const [after] = await bank.rows('select max(seen_at) as at from kernel.job')
  expect(after!['at']).not.toEqual(before!['at'])
  expect(state.reads).toBe(1)
  expect(await recorded()).toEqual({ done: 3 })
  await run(4)
  expect(state.reads).toBe(2)
  expect(await recorded()).toEqual({ done: 4 })
})

test('a process that has not run the job does not overwrite the progress of one that has', async () => {
  const [one, other] = [aProcess(), aProcess()]
  await one.run(5)
  await other.run(6)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  await one.recorder.write()
  expect(await recorded()).toEqual({ done: 6 })
})

test('a job that runs until it is stopped is recorded as running with all jobs, and not in between', async () => {
  const job: Worker = {
    name: 'tests.waits',
    purpose: 'Waits for work.',
    everyMs: 1000,
    runsUntilStopped: true,
    run: () => Promise.resolve(0),
  }
  const startedAt = Date.now()
  const recorder = new JobRecorder(bank.bank, [job], () => bankContext(bank.bank))
  recorder.recordStart(job.name)
  const reportAt = async (seconds: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: startedAt + seconds * 1000 })
    await recorder.write()
    const [row] = await bank.rows(
      "select seen_at, running_until from kernel.job where name = 'tests.waits'",
    )
    const secondsOf = (at: unknown) => at && Math.round(((at as Date).getTime() - startedAt) / 1000)
    return [secondsOf(row!['seen_at']), secondsOf(row!['running_until'])]
  }
  expect(await reportAt(0)).toEqual([0, null])
  expect(await reportAt(2)).toEqual([2, 62])
  for (const seconds of [8, 14, 19]) expect(await reportAt(seconds)).toEqual([2, 62])
  expect(await reportAt(21)).toEqual([21, 81])
})

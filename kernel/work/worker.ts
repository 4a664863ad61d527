import { randomUUID } from 'node:crypto'
import { bankCaller } from '../authorization/auth.ts'
import type { Bank } from '../environment/bank.ts'
import type { LogCursor } from '../events/event-ring.ts'
import { CatchUp } from './catch-up.ts'
import { matchesType } from '../domain/event-filter.ts'
import { Problem } from '../domain/problem.ts'
import { createContext, type Context } from '../environment/context.ts'
import { followJobRequests, JobRequests } from './job-requests.ts'
import { JobRecorder } from './jobs.ts'
import type { NightlyPhase } from '../domain/nightly-phases.ts'
import type { JobDelay, Progress } from './tally.ts'
import { pause, restAfter, spread, waitForAbort } from './pauses.ts'
import { outageOf } from '../database/outage.ts'

/**
 * A background worker. It may run in several processes at once. After a crash, a batch may run
 * again.
 */
export interface Worker {
  /** The name of the job in the graph, in the form `<area>.<task>`. */
  name: string
  /** The purpose of the worker in one sentence, for the operators of the bank. */
  purpose: string
  /** The longest pause after all due work is done, in milliseconds. */
  everyMs: number
  /**
   * An SQL expression that is true while there is work, where `$1` is the bank's time. It is
   * evaluated once a second, together with those of all other workers, and starts the next pass
   * early. A worker whose work becomes due within its interval needs it, unless an event announces
   * all of its work.
   */
  isDueSql?: string
  /**
   * The minimum pause before due work starts the next pass, in milliseconds, so that more work
   * accumulates. Default: 0.
   */
  duePauseMs?: number
  /**
   * The minimum pause between two batches in milliseconds, so that more items accumulate per batch.
   * Default: 0.
   */
  pauseMs?: number
  /**
   * The largest part of the time that passes may take, for a worker that reads whole tables: it rests
   * longer after a pass that took longer. After a failed pass, it rests no longer than its interval.
   * Default: 1.
   */
  maxShare?: number
  /** Event types that start the next pass early: exact types, `<area>.*`, or `*` for all events. */
  wakeOn?: readonly string[]
  /** Set for a worker whose events do not wait for the rest that `maxShare` demands. */
  wakesAtOnce?: true
  /**
   * Set for a worker whose work becomes due by the bank clock. It catches up when the clock is
   * moved.
   */
  followsClock?: true
  /** Set for a worker that is a step of the nightly run, which the query `nightlyRun` shows. */
  nightlyPhase?: NightlyPhase
  /** Set for a worker whose pass lasts until it is stopped. */
  runsUntilStopped?: true
  /**
   * Runs one batch and returns the number of items it completed. It is called again until it
   * returns 0 or `stopping` aborts. A long batch must end soon after `stopping` aborts.
   */
  run(context: Context, stopping?: AbortSignal): Promise<number>
  /**
   * Returns the progress of the current run, or of the last run if none is running; null if there
   * was no run.
   */
  progress?(context: Context): Promise<Progress | null>
}

/** The interval of a worker whose `isDueSql` or events announce all of its work: only a precaution. */
export const dueFallbackMs = 300_000

/** The longest pause after a failed pass. */
const retryMs = 5000

/**
 * The shortest pause between two passes when an event starts the second one. Under load there is
 * always a new event; without the pause, every worker would query the database after every commit.
 */
const eventPauseMs = 50

/** The number of successive passes that may lose a race against other processes before it counts as a failure. */
const maxLostRaces = 5

/**
 * Creates a context in which the caller is the bank itself. Work in this context has no deadline.
 */
export function bankContext(bank: Bank, requestId: string = randomUUID()): Context {
  return createContext(bank, bankCaller, {
    authorization: undefined,
    requestId,
    traceparent: undefined,
    idempotencyKey: undefined,
    deadlineMs: Number.MAX_SAFE_INTEGER,
  })
}

/**
 * Runs `work` for each item of a batch. A failure is logged and does not block the other items.
 * Returns the sum of the results of `work`, where a result that is not a number counts as 1. Throws
 * the first error if an item failed and that sum is 0.
 */
export async function processEach<Item>(
  { bank }: Context,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const failures: unknown[] = []
  let done = 0
  for await (const item of items) {
    try {
      const result = await work(item)
      done += typeof result === 'number' ? result : 1
    } catch (error) {
      if (!outageOf(bank).explains(bank, error))
        bank.log.error({ error }, 'an item of a batch failed')
      failures.push(error)
    }
  }
  if (done === 0 && failures.length > 0) throw failures[0]
  return done
}

/** The running workers of a process. */
export interface RunningWorkers {
  /** How late each worker is. */
  delays(): readonly JobDelay[]
  stop(): Promise<void>
}

/**
 * Runs workers until `stop` is called. A failed batch is logged and retried after the worker's
 * interval, at most 5 seconds; an outage of the database is logged only once. Runs are recorded for the query `jobs`.
 * A run that is requested through the graph starts without waiting for the interval.
 */
export function startWorkers(bank: Bank, workers: readonly Worker[]): RunningWorkers {
  if (workers.length === 0) return { delays: () => [], stop: () => Promise.resolve() }
  const stopping = new AbortController()
  const recorder = new JobRecorder(bank, workers, () => bankContext(bank))
  const requests = new JobRequests()
  const followers = workers.flatMap(({ name, followsClock }) => (followsClock ? [name] : []))
  const catchUp = new CatchUp(bank, followers, (to) => recorder.recordCaughtUp(followers, to))
  const dependencies = { bank, recorder, requests, catchUp }
  const running = workers.map((worker) => runWorker(worker, dependencies, stopping.signal))
  const recording = recorder.record(stopping.signal)
  const following = followJobRequests(bank, (name) => requests.add(name), stopping.signal)
  return {
    delays: () => recorder.delays(),
    async stop() {
      stopping.abort()
      catchUp.stop()
      await Promise.all([...running, following])
      await recording
      await recorder.write()
    },
  }
}

/** The dependencies that the workers of one process share. */
interface WorkerDependencies {
  bank: Bank
  recorder: JobRecorder
  requests: JobRequests
  catchUp: CatchUp
}

async function runWorker(
  worker: Worker,
  dependencies: WorkerDependencies,
  stopping: AbortSignal,
): Promise<void> {
  const { bank, recorder, requests, catchUp } = dependencies
  const dueSignal: DueSignal = { wake: null }
  const endWatch = watchDueWork(bank, worker, dueSignal)
  let lostRaces = 0
  while (!stopping.aborted) {
    const start = {
      at: performance.now(),
      place: bank.events.end,
      aheadMs: bank.clock.aheadMs,
      hasFailed: false,
    }
    requests.take(worker.name)
    recorder.recordStart(worker.name)
    const round = catchUp.currentRound()
    try {
      let done = 0
      let total = 0
      do {
        done = await worker.run(bankContext(bank), stopping)
        total += done
        recorder.recordProgress(worker.name, done)
        if (done > 0) await pause(worker.pauseMs ?? 0, stopping)
      } while (done > 0 && !stopping.aborted)
      recorder.recordEnd(worker.name)
      await outageOf(bank).checkWhetherOver(bank)
      lostRaces = 0
      if (catchUp.recordPass(worker.name, round, total)) continue
    } catch (error) {
      if (isLostRace(error) && ++lostRaces <= maxLostRaces) {
        bank.log.info({ worker: worker.name }, 'another process did the work of a worker')
        recorder.recordEnd(worker.name)
        await pause(eventPauseMs * lostRaces, stopping)
        continue
      }
      start.hasFailed = true
      recorder.recordFailure(worker.name, error)
      if (!outageOf(bank).explains(bank, error, worker.name)) {
        bank.log.error({ worker: worker.name, error }, 'a batch of a worker failed')
      }
    }
    await waitForNextPass(worker, dependencies, dueSignal, start, stopping)
  }
  endWatch()
}

/** Whether other processes kept changing the same records, because they do the same work. */
function isLostRace(error: unknown): boolean {
  return error instanceof Problem && error.code === 'VERSION_CONFLICT'
}

/** Wakes a worker that waits; null while the worker runs or waits for a retry. */
interface DueSignal {
  wake: (() => unknown) | null
}

/** Watches whether a worker has work. Returns the function that ends the watch. */
function watchDueWork(bank: Bank, { isDueSql }: Worker, dueSignal: DueSignal): () => void {
  if (!isDueSql) return () => undefined
  return bank.heartbeat.watch(isDueSql, (isDue) => {
    if (isDue) dueSignal.wake?.()
  })
}

/**
 * The state when a pass began. A later event or move of the clock wakes the worker. `hasFailed` is
 * set when the pass failed.
 */
interface PassStart {
  /** The value of `performance.now()`. */
  at: number
  place: LogCursor
  aheadMs: number
  hasFailed: boolean
}

/**
 * Waits until the worker's interval is over, work is due, an event wakes the worker, a run is
 * requested, or the clock is moved. After a failed pass, the interval is at most 5 seconds. A requested
 * run and a moved clock do not wait for the rest that `maxShare` demands.
 */
async function waitForNextPass(
  worker: Worker,
  { bank, requests, catchUp }: WorkerDependencies,
  dueSignal: DueSignal,
  start: PassStart,
  stopping: AbortSignal,
) {
  const wakeUp = new AbortController()
  requests.onRequested(worker.name, () => wakeUp.abort())
  catchUp.onRound(worker.name, () => wakeUp.abort())
  if (requests.take(worker.name)) wakeUp.abort()
  const shareMs = restAfter(performance.now() - start.at, worker.maxShare)
  const restMs = start.hasFailed ? Math.min(shareMs, worker.everyMs) : shareMs
  const pauseMs = start.hasFailed ? Math.min(worker.everyMs, retryMs) : spread(worker.everyMs)
  const timer = setTimeout(() => wakeUp.abort(), Math.max(pauseMs, restMs))
  // Work that has just failed is still due; it waits for the retry.
  const mayStartAt = performance.now() + Math.max(worker.duePauseMs ?? 0, restMs)
  const wakeIfDue = () => performance.now() >= mayStartAt && wakeUp.abort()
  if (!start.hasFailed) dueSignal.wake = wakeIfDue
  const removeClockListener = bank.clock.onMove(() => wakeUp.abort())
  if (bank.clock.aheadMs !== start.aheadMs) wakeUp.abort()
  const stopOrWake = AbortSignal.any([stopping, wakeUp.signal])
  const { wakeOn } = worker
  const wakesWorker = (type: string) => wakeOn!.some((each) => matchesType(each, type))
  if (wakeOn) {
    const mayWakeAt = performance.now() + Math.max(eventPauseMs, worker.wakesAtOnce ? 0 : restMs)
    await bank.events.waitForTypes(start.place, wakesWorker, stopOrWake)
    await pause(mayWakeAt - performance.now(), stopOrWake)
  }
  if (!wakeOn || !bank.events.isOpen) await waitForAbort(stopOrWake)
  clearTimeout(timer)
  dueSignal.wake = null
  removeClockListener()
}

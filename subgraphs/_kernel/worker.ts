import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bankCaller } from './auth.ts'
import type { Bank } from './bank.ts'
import { CatchUp } from './catch-up.ts'
import { matchesType } from './domain/event-filter.ts'
import { createContext, type Context } from './context.ts'
import { askedJobs, JobRecorder, type Progress } from './jobs.ts'

/** Work that goes on beside the requests. It may run in several processes at once and after a crash. */
export interface Worker {
  /** `<area>.<what it does>`: the name of the job in the graph. */
  name: string
  /** What it is for, in a sentence; whoever runs the bank reads it. */
  purpose: string
  /** How long it rests when there was nothing to do. */
  everyMs: number
  /** How long it waits at least between two batches, so that more of what is alike comes together. */
  pauseMs?: number
  /** Events that wake it before its rest is over: types, `<area>.*` or `*`. */
  wakeOn?: readonly string[]
  /** What it does falls due with the bank's time: it takes part in catching up with a clock that was moved. */
  followsClock?: true
  /**
   * Does one batch and answers how much it did; it is called again at once while that is not 0.
   * One that goes on for longer ends soon after `stopping`.
   */
  run(context: Context, stopping?: AbortSignal): Promise<number>
  /** How far the work in hand is, or the last there was; null when there was none. */
  progress?(context: Context): Promise<Progress | null>
}

/** The context of work the bank does on its own account. */
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
 * Does some work on each of a batch. One that fails is logged and keeps no others. Answers how much was
 * done, as far as the work says, else how often; throws the first failure where nothing was.
 */
export async function doEach<Item>(
  { bank }: Context,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const failures: unknown[] = []
  let done = 0
  for await (const item of items) {
    try {
      const did = await work(item)
      done += typeof did === 'number' ? did : 1
    } catch (error) {
      bank.log.error({ error }, 'one of a batch failed')
      failures.push(error)
    }
  }
  if (done === 0 && failures.length > 0) throw failures[0]
  return done
}

/**
 * Runs workers until `stop`. A batch that fails is logged and tried again after the worker's rest.
 * What becomes of them is written down for `jobs`, and one that is asked for in the graph runs at once.
 */
export function startWorkers(bank: Bank, workers: readonly Worker[]): { stop(): Promise<void> } {
  if (workers.length === 0) return { stop: () => Promise.resolve() }
  const stopping = new AbortController()
  const recorder = new JobRecorder(bank, workers, () => bankContext(bank))
  const asked = new Asked()
  const followers = workers.flatMap(({ name, followsClock }) => (followsClock ? [name] : []))
  const catchUp = new CatchUp(bank, followers, (to) => recorder.caughtUp(followers, to))
  const shop = { bank, recorder, asked, catchUp }
  const running = workers.map((worker) => loop(worker, shop, stopping.signal))
  const recording = recorder.record(stopping.signal)
  const following = askedJobs(bank, (name) => asked.for(name), stopping.signal)
  return {
    async stop() {
      stopping.abort()
      catchUp.stop()
      await Promise.all([...running, following])
      await recording
      await recorder.write()
    },
  }
}

/** What the workers of one process share. */
interface Shop {
  bank: Bank
  recorder: JobRecorder
  asked: Asked
  catchUp: CatchUp
}

/** The workers that somebody asked to run now. */
class Asked {
  readonly #names = new Set<string>()
  readonly #wakers = new Map<string, () => void>()

  for(name: string): void {
    this.#names.add(name)
    this.#wakers.get(name)?.()
  }

  /** Has a worker's rest ended when somebody asks for it. */
  onAsked(name: string, wake: () => void): void {
    this.#wakers.set(name, wake)
  }

  /** Whether somebody asked since it was last said. */
  take(name: string): boolean {
    return this.#names.delete(name)
  }
}

async function loop(worker: Worker, shop: Shop, stopping: AbortSignal): Promise<void> {
  const { bank, recorder, asked, catchUp } = shop
  while (!stopping.aborted) {
    const from = { position: bank.events.head, aheadMs: bank.clock.aheadMs }
    asked.take(worker.name)
    recorder.began(worker.name)
    const pass = catchUp.begin()
    try {
      let done = 0
      let total = 0
      do {
        done = await worker.run(bankContext(bank), stopping)
        total += done
        recorder.did(worker.name, done)
        if (done > 0) await pause(worker.pauseMs ?? 0, stopping)
      } while (done > 0 && !stopping.aborted)
      recorder.ended(worker.name)
      if (catchUp.end(worker.name, pass, total)) continue
    } catch (error) {
      recorder.failed(worker.name, error)
      bank.log.error({ worker: worker.name, error }, 'a batch failed')
    }
    await rest(worker, shop, from, stopping)
  }
}

/** What a worker knew when its batch began: what came since wakes it. */
interface Known {
  position: bigint
  aheadMs: number
}

/** Waits for the worker's interval, an event that wakes it, somebody who asks, or the clock to move, whichever is first. */
async function rest(
  worker: Worker,
  { bank, asked, catchUp }: Shop,
  from: Known,
  stopping: AbortSignal,
) {
  const over = new AbortController()
  asked.onAsked(worker.name, () => over.abort())
  catchUp.onRound(worker.name, () => over.abort())
  if (asked.take(worker.name)) over.abort()
  const timer = setTimeout(() => over.abort(), worker.everyMs)
  const forget = bank.clock.onMove(() => over.abort())
  if (bank.clock.aheadMs !== from.aheadMs) over.abort()
  const end = AbortSignal.any([stopping, over.signal])
  const { wakeOn } = worker
  const isWanted = (type: string) => wakeOn!.some((each) => matchesType(each, type))
  if (wakeOn) await bank.events.heard(from.position, isWanted, end)
  if (!wakeOn || !bank.events.isOpen) await aborted(end)
  clearTimeout(timer)
  forget()
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bankCaller } from './auth.ts'
import type { Bank } from './bank.ts'
import { matchesType } from './domain/event-filter.ts'
import { createContext, type Context } from './context.ts'

/** Work that goes on beside the requests. It may run in several processes at once and after a crash. */
export interface Worker {
  name: string
  /** How long it rests when there was nothing to do. */
  everyMs: number
  /** How long it waits at least between two batches, so that more of what is alike comes together. */
  pauseMs?: number
  /** Events that wake it before its rest is over: types, `<area>.*` or `*`. */
  wakeOn?: readonly string[]
  /**
   * Does one batch and answers how much it did; it is called again at once while that is not 0.
   * One that goes on for longer ends soon after `stopping`.
   */
  run(context: Context, stopping?: AbortSignal): Promise<number>
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

/** Runs workers until `stop`. A batch that fails is logged and tried again after the worker's rest. */
export function startWorkers(bank: Bank, workers: readonly Worker[]): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = workers.map((worker) => loop(bank, worker, stopping.signal))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function loop(bank: Bank, worker: Worker, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const from = { position: bank.events.head, aheadMs: bank.clock.aheadMs }
    try {
      while (!stopping.aborted && (await worker.run(bankContext(bank), stopping)) > 0) {
        await pause(worker.pauseMs ?? 0, stopping)
      }
    } catch (error) {
      bank.log.error({ worker: worker.name, error }, 'a batch failed')
    }
    await rest(bank, worker, from, stopping)
  }
}

/** What a worker knew when its batch began: what came since wakes it. */
interface Known {
  position: bigint
  aheadMs: number
}

/** Waits for the worker's interval, for an event that wakes it or for the clock to move, whichever is first. */
async function rest(bank: Bank, worker: Worker, from: Known, stopping: AbortSignal) {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), worker.everyMs)
  const forget = bank.clock.onMove(() => over.abort())
  if (bank.clock.aheadMs !== from.aheadMs) over.abort()
  const end = AbortSignal.any([stopping, over.signal])
  for (let { position } = from; worker.wakeOn && !end.aborted;) {
    const events = await bank.events.after(position).catch(() => [])
    if (events.some(({ type }) => worker.wakeOn!.some((each) => matchesType(each, type)))) break
    position = events.at(-1)?.position ?? position
    if (!bank.events.isOpen) break
    await bank.events.moreThan(position, end)
  }
  if (!worker.wakeOn || !bank.events.isOpen) await aborted(end)
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { Bank } from '../environment/bank.ts'
import { outageOf } from '../database/outage.ts'
import { Problem } from '../domain/problem.ts'
import { cursorOf } from '../events/event-ring.ts'

/** The type of the event that requests a run of a job. Its subject is `job/<name>`. */
export const jobRequested = 'operations.job.asked'

/** The pause after the event log could not be read. */
const retryMs = 1000

/** The names of the workers for which a run was requested. */
export class JobRequests {
  readonly #names = new Set<string>()
  readonly #wakers = new Map<string, () => void>()

  add(name: string): void {
    this.#names.add(name)
    this.#wakers.get(name)?.()
  }

  /** Registers a callback that wakes a worker when a run is requested. */
  onRequested(name: string, wake: () => void): void {
    this.#wakers.set(name, wake)
  }

  /** Removes the pending request for a worker. Returns false if there is none. */
  take(name: string): boolean {
    return this.#names.delete(name)
  }
}

/**
 * Calls `run` with the name of each job of which a client requests a run through the graph, in any
 * process, until `stopping` aborts.
 */
export async function followJobRequests(
  bank: Bank,
  run: (name: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  const { events, log } = bank
  let place = events.end
  while (!stopping.aborted && events.isOpen) {
    try {
      const newEvents = await events.after(place)
      for (const { type, subject } of newEvents) {
        if (type === jobRequested) run(subject.slice('job/'.length))
      }
      const last = newEvents.at(-1)
      if (last) place = cursorOf(last)
      await events.waitForEvents(place, stopping)
    } catch (error) {
      // It is not known what was lost, so that only later requests can be followed.
      if (error instanceof Problem && error.code === 'POSITION_NOT_IN_LOG') place = events.end
      if (!outageOf(bank).explains(bank, error)) {
        log.warn(
          { error: (error as Error).message },
          'failed to read job requests from the event log',
        )
      }
      await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
}

import { Problem } from '../domain/problem.ts'
import type { LogCursor } from './event-ring.ts'

const maxEvents = 100_000

/**
 * The events that this process had read and that a failover lost. Their positions belong to other
 * events now, so readers behind a lost event continue after the last event that was not lost.
 */
export class LogLosses {
  /** For each lost event at its position, the place after the last event that was not lost with it. */
  readonly #commonOf = new Map<string, LogCursor>()
  #count = 0

  /** The number of lost events since the process started. */
  get count(): number {
    return this.#count
  }

  /** Records lost events, each by the place after it. */
  record(common: LogCursor, lost: readonly LogCursor[]): void {
    this.#count += lost.length
    for (const place of lost) this.#commonOf.set(keyOf(place), common)
    for (const oldest of this.#commonOf.keys()) {
      if (this.#commonOf.size <= maxEvents) return
      this.#commonOf.delete(oldest)
    }
  }

  /**
   * Removes events that are in the log again: the outbox survived the failover, or the former
   * primary came back. Otherwise, readers would go back from them forever.
   */
  removeReturned(events: readonly LogCursor[]): void {
    if (this.#commonOf.size === 0) return
    for (const event of events) this.#commonOf.delete(keyOf(event))
  }

  has(event: LogCursor): boolean {
    return this.#commonOf.has(keyOf(event))
  }

  /** Returns a place, or the one after the last common event if the event before it was lost. */
  current(cursor: LogCursor): LogCursor {
    let current = cursor
    // The common event of one failover may be lost in the next one.
    for (let common; (common = this.#commonOf.get(keyOf(current)));) {
      current = common
    }
    return current
  }
}

const keyOf = ({ position, eventId }: LogCursor): string => `${position} ${eventId}`

/**
 * Returns the problem that the log does not have the event before a place. `common` is the place
 * after the last event that was not lost with it, if it is known.
 */
export function notInLog({ position, eventId }: LogCursor, common?: LogCursor): Problem {
  const advice = common
    ? `The last event before the loss has the position ${common.position}; subscribe again with it as \`after\`, and without \`afterEventId\`.`
    : 'Find the last event that you received and that `businessEvent(eventId:)` still returns, and subscribe again after it.'
  return new Problem('POSITION_NOT_IN_LOG', {
    detail: `The event log does not have the event ${eventId} at the position ${position}. ${advice}`,
  })
}

import type { EventHeader } from './events.ts'

/**
 * A place in the event log, right after an event. `eventId` is the ID of that event; null if it is
 * not known, or if there is none because `position` is 0.
 */
export interface LogCursor {
  position: bigint
  eventId: string | null
}

/** Successive events of the log, and the place before the first of them. */
export interface EventBatch {
  after: LogCursor
  events: readonly EventHeader[]
}

const ringSize = 10_000

/** Returns the place after an event. */
export const cursorOf = ({ position, eventId }: EventHeader): LogCursor => ({ position, eventId })

/** Whether two IDs of the event at one position are known and differ. */
export const areDifferent = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other

/** The newest events that a process has read, up to 15,000 of them without a gap. */
export class EventRing {
  /** The place before the first event. */
  #base: LogCursor = { position: 0n, eventId: null }
  #events: EventHeader[] = []

  /** Replaces the content. */
  reset(base: LogCursor, events: readonly EventHeader[]): void {
    this.#base = base
    this.#events = [...events]
  }

  get base(): LogCursor {
    return this.#base
  }

  get end(): LogCursor {
    const last = this.#events.at(-1)
    return last ? cursorOf(last) : this.#base
  }

  /** Returns the place after a position, with the event's ID if the ring has it. */
  cursorAt(position: bigint): LogCursor {
    if (position === this.#base.position) return this.#base
    const event =
      position > this.#base.position ? this.#events[this.#indexAfter(position) - 1] : null
    return { position, eventId: event?.eventId ?? null }
  }

  /** Returns up to `take` events after a position; null if they begin before the ring. */
  after(position: bigint, take: number): EventHeader[] | null {
    if (position < this.#base.position) return null
    const start = this.#indexAfter(position)
    return this.#events.slice(start, start + take)
  }

  /** Whether the batch leaves a gap after the end of the ring. */
  leavesGap({ after }: EventBatch): boolean {
    return after.position > this.end.position
  }

  /** Whether the batch has another event than the ring at any position. */
  conflictsWith({ after, events }: EventBatch): boolean {
    const differs = ({ position, eventId }: LogCursor) =>
      areDifferent(this.cursorAt(position).eventId, eventId)
    return differs(after) || events.some(differs)
  }

  /** Appends the events after the end, which must leave no gap. Returns those that were appended. */
  append(events: readonly EventHeader[]): EventHeader[] {
    const { position: end } = this.end
    const added = events.filter(({ position }) => position > end)
    this.#events.push(...added)
    if (this.#events.length > ringSize * 1.5) {
      this.#base = cursorOf(this.#events.at(-ringSize - 1)!)
      this.#events = this.#events.slice(-ringSize)
    }
    return added
  }

  /** Drops everything after a place. Returns the places after the dropped events. */
  goBackTo(common: LogCursor): LogCursor[] {
    const isBaseLost = common.position < this.#base.position
    const kept = isBaseLost ? 0 : this.#indexAfter(common.position)
    const lost = this.#events.slice(kept).map(cursorOf)
    if (isBaseLost) {
      if (this.#base.eventId) lost.unshift(this.#base)
      this.reset(common, [])
    } else this.#events = this.#events.slice(0, kept)
    return lost
  }

  /** The index of the event after a position that is not before the ring. */
  #indexAfter(position: bigint): number {
    return Number(position - this.#base.position)
  }
}

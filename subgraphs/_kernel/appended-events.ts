import { composites, textArray, type Fields } from './composites.ts'
import type { Context } from './context.ts'
import { companionId } from './ids.ts'
import type { EventNews, Sourced } from './events.ts'
import type { Write } from './writes.ts'

/**
 * Events that a commit puts into the log itself, instead of leaving them to the sequencer: for those
 * who commit hundreds together. Each is the first of its subject, and says what its source has.
 */
export class AppendedEvents {
  readonly #headlines: Fields[] = []
  readonly #heardBy: string[] = []
  readonly #news: Omit<EventNews, 'position'>[] = []

  add({ envelope, caller }: Context, told: Sourced, time: Date): void {
    const { type, subject } = told
    const eventId = companionId('event', subject)
    const { requestId: correlationId } = envelope
    const actor = caller.partyId ?? caller.clientId
    const parties = [...told.parties]
    this.#headlines.push([eventId, type, subject, time, correlationId, actor])
    this.#heardBy.push(textArray(parties))
    this.#news.push({ eventId, type, subject, parties, correlationId })
  }

  /** Must be the last write of its commit: the end of the log is locked from here on. Answers `before`. */
  get writes(): Write[] {
    if (this.#news.length === 0) return []
    return [
      {
        sql: 'select kernel.append_events($1::kernel.headline[], $2::text[]) as before from claim',
        values: [composites(this.#headlines), textArray(this.#heardBy)],
        rows: 1,
        answers: 'before',
      },
    ]
  }

  /** What a process must know of them, once the commit answered the position before the first. */
  after(before: bigint): EventNews[] {
    return this.#news.map((news, at) => ({ ...news, position: before + BigInt(at + 1) }))
  }
}

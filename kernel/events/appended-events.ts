import { actorOf } from '../authorization/caller.ts'
import { composites, textArray, type FieldValues } from '../writing/composites.ts'
import type { Context } from '../environment/context.ts'
import { companionId } from '../environment/ids.ts'
import type { EventBatch, LogCursor } from './event-ring.ts'
import type { EventHeader, SourcedEvent } from './events.ts'
import type { Write } from '../writing/writes.ts'

const appendSql =
  "select json_build_object('position', at::text, 'eventId', kernel.event_id_at(at)) as before " +
  'from claim cross join lateral kernel.append_events($1::kernel.headline[], $2::text[]) at'

/**
 * Events that a commit appends directly to the event log, bypassing the outbox and the sequencer.
 * Used where hundreds of commands commit together. Each event must be the first of its subject, and
 * its type must have a data source.
 */
export class AppendedEvents {
  readonly #rows: FieldValues[] = []
  readonly #parties: string[] = []
  readonly #headers: Omit<EventHeader, 'position'>[] = []

  add({ envelope, caller }: Context, event: SourcedEvent, time: Date): void {
    const { type, subject } = event
    const eventId = companionId('event', subject)
    const { requestId: correlationId } = envelope
    const actor = actorOf(caller)
    const parties = [...event.parties]
    this.#rows.push([eventId, type, subject, time, correlationId, actor])
    this.#parties.push(textArray(parties))
    this.#headers.push({ eventId, type, subject, parties, correlationId })
  }

  /**
   * The writes that append the events. They return `before`, the place before the first of the
   * appended events. The writes must be the last writes of the commit, because they lock the end of
   * the log.
   */
  get writes(): Write[] {
    if (this.#headers.length === 0) return []
    return [
      {
        sql: appendSql,
        values: [composites(this.#rows), textArray(this.#parties)],
        rows: 1,
        answers: 'before',
      },
    ]
  }

  /** Returns the events. Their positions follow `before`, the place that the commit returned. */
  batchAfter(before: LogCursor): EventBatch {
    const events = this.#headers.map((header, index) => ({
      ...header,
      position: before.position + BigInt(index + 1),
    }))
    return { after: before, events }
  }
}

import type { Row } from './writes.ts'

/** A fact in the past tense, told in the commit that made it true. */
export interface Told {
  /** `<area>.<entity>.<fact>`, declared by its subgraph. */
  type: string
  /** `<entity>/<id>`. */
  subject: string
  /** The subject's version after the commit; orders the events of one subject. */
  version: number
  /** A snapshot, with ids instead of personal data where an id will do. */
  data: Row
  /** The parties it belongs to; a delegated user hears only their own. */
  parties: readonly string[]
  causationId?: string
}

/** An event in the log. `position` is dense over all events, `sequence` within its subject. */
export interface LoggedEvent {
  position: bigint
  eventId: string
  type: string
  subject: string
  sequence: number
  time: Date
  data: Record<string, unknown>
  parties: string[]
  correlationId: string
  causationId: string | null
  actor: string
}

/** What a process must know of an event to say who wants it. */
export type EventNews = Pick<
  LoggedEvent,
  'position' | 'eventId' | 'type' | 'subject' | 'parties' | 'correlationId'
>

/** Every event that may be told, with what it means. Subgraphs declare theirs when they are loaded. */
export const knownEvents = new Map<string, string>()

/** Declares a subgraph's events: type → one sentence. Refuses a type that is declared twice. */
export function declareEvents<Type extends string>(
  meanings: Record<Type, string>,
): typeof meanings {
  for (const [type, meaning] of Object.entries<string>(meanings)) {
    if (knownEvents.has(type)) throw new Error(`The event ${type} is declared twice.`)
    knownEvents.set(type, meaning)
  }
  return meanings
}

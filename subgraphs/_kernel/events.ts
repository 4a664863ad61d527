import { Ajv, type ValidateFunction } from 'ajv'
import type pg from 'pg'
import { isLocalDate, parseDateTime } from './domain/dates.ts'
import { anything, type DataShape } from './event-data.ts'
import type { Row } from './writes.ts'

/** A fact in the past tense, told in the commit that made it true. */
export interface Told {
  /** `<area>.<entity>.<fact>`, declared by its subgraph. */
  type: string
  /** `<entity>/<id>`. */
  subject: string
  /** The subject's version after the commit; orders the events of one subject. */
  version: number
  /** A snapshot, with ids instead of personal data where an id will do; null when its type is declared with a source. */
  data: Row | null
  /** The parties it belongs to; a delegated user hears only their own. */
  parties: readonly string[]
  causationId?: string
}

/** One whose data its source has. */
export type Sourced = Told & { data: null }

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

/** An event as its subgraph declares it: what it means, and the shape of its data. */
export interface DeclaredEvent {
  type: string
  /** One sentence. */
  meaning: string
  data: DataShape
  source: DataSource | null
}

/**
 * Reads what events say, by their subjects, where that is written once and for ever: the log does not
 * keep it again. Each has the declared shape.
 */
export type DataSource = (
  queries: Pick<pg.Pool, 'query'>,
  subjects: readonly string[],
) => Promise<Map<string, Row>>

/** Every event that may be told, by type. Subgraphs declare theirs when they are loaded. */
export const knownEvents = new Map<string, DeclaredEvent>()

/**
 * Declares a subgraph's events, type → one sentence, and the shape of the data they share; any
 * object when none is given. With a source the log keeps no data of them. Refuses a type that is
 * declared twice.
 */
export function declareEvents<Type extends string>(
  meanings: Record<Type, string>,
  data: DataShape = anything,
  source: DataSource | null = null,
): typeof meanings {
  for (const [type, meaning] of Object.entries<string>(meanings)) {
    if (knownEvents.has(type)) throw new Error(`The event ${type} is declared twice.`)
    knownEvents.set(type, { type, meaning, data, source })
  }
  return meanings
}

const ajv = new Ajv({ allErrors: true })
ajv.addFormat('date', isLocalDate)
ajv.addFormat('date-time', (text) => parseDateTime(text) !== undefined)

/** Events of one area share one shape, which is compiled once. */
const checks = new WeakMap<DataShape, ValidateFunction>()

/**
 * The data of an event as JSON has it: instants as ISO 8601, whole numbers of any size as text; null
 * where it has a source. Throws an Error when nobody declares the event or its data is not of the
 * declared shape: that is our own mistake, and is found before anything is committed.
 */
export function dataOf({ type, data }: Pick<Told, 'type' | 'data'>): Row | null {
  const declared = declarationOf(type)
  if ((data === null) !== (declared.source !== null)) {
    throw new Error(`What ${type} says is in ${declared.source ? 'its source' : 'the log'}.`)
  }
  return data && asDeclared(declared, plainObject(data))
}

/** Events with what they say: as the log has it, or read from where it is written. */
export async function withData<Event extends Pick<LoggedEvent, 'type' | 'subject'>>(
  queries: Pick<pg.Pool, 'query'>,
  events: readonly (Event & { data: unknown })[],
): Promise<(Event & Pick<LoggedEvent, 'data'>)[]> {
  const subjects = new Map<DataSource, string[]>()
  for (const { type, subject, data } of events) {
    const source = data === null ? declarationOf(type).source : null
    if (!source) continue
    const asked = subjects.get(source)
    if (asked) asked.push(subject)
    else subjects.set(source, [subject])
  }
  const read = new Map<string, Row>()
  for (const [source, asked] of subjects) {
    for (const [subject, data] of await source(queries, asked)) read.set(subject, data)
  }
  return events.map((event) => {
    const { type, subject } = event
    const data = event.data ?? asDeclared(declarationOf(type), read.get(subject) ?? {})
    return { ...event, data: data as LoggedEvent['data'] }
  })
}

function declarationOf(type: string): DeclaredEvent {
  const declared = knownEvents.get(type)
  if (!declared) throw new Error(`No subgraph declares the event ${type}.`)
  return declared
}

/** The data, which is not copied, or an Error. */
function asDeclared({ type, ...declared }: DeclaredEvent, data: Row): Row {
  let check = checks.get(declared.data)
  if (!check) {
    check = ajv.compile(declared.data)
    checks.set(declared.data, check)
  }
  if (check(data)) return data
  throw new Error(`The data of ${type} is not as declared: ${ajv.errorsText(check.errors)}.`)
}

function plainObject(value: object): Row {
  const plain: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) plain[name] = plainValue(item)
  }
  return plain
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(plainValue) : plainObject(value)
}

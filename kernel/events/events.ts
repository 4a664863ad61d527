import { Ajv, type ValidateFunction } from 'ajv'
import type pg from 'pg'
import { isLocalDate, parseDateTime } from '../domain/dates.ts'
import { anyObject, type DataShape } from './event-data.ts'
import type { Row } from '../writing/writes.ts'

/** A business event, named in the past tense and emitted in the commit of the change it reports. */
export interface DomainEvent {
  /** The type, in the form `<area>.<entity>.<fact>`. A subgraph must declare it. */
  type: string
  /** The subject, in the form `<entity>/<id>`. */
  subject: string
  /** The version of the subject after the commit. It orders the events of one subject. */
  version: number
  /**
   * A snapshot of the subject, with IDs instead of personal data where possible; null if the type
   * is declared with a data source.
   */
  data: Row | null
  /** The parties concerned. A delegated user receives only the events of their own party. */
  parties: readonly string[]
  causationId?: string
}

/** An event as a commit stores it, a row of `kernel.emitted_event`. */
export interface EventRow extends Row {
  event_id: string
  type: string
  subject: string
  subject_version: number
  /** The place of the event among the events of its commit, starting at 0. */
  ordinal: number
  time: Date
  data: Row | null
  parties: readonly string[]
  correlation_id: string
  causation_id: string | null
  actor: string
}

/** An event whose data is read from a data source. */
export type SourcedEvent = DomainEvent & { data: null }

/**
 * An event in the event log. `position` numbers all events without gaps; `sequence` numbers the
 * events of one subject without gaps.
 */
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

/** The properties of an event that determine who receives it. */
export type EventHeader = Pick<
  LoggedEvent,
  'position' | 'eventId' | 'type' | 'subject' | 'parties' | 'correlationId'
>

/** The declaration of an event type. */
export interface DeclaredEvent {
  type: string
  /** The meaning in one sentence. */
  meaning: string
  data: DataShape
  source: DataSource | null
}

/**
 * Reads the data of events by subject from tables whose rows never change, so that the log does not
 * store the data again. Each result must match the declared shape.
 */
export type DataSource = (
  queries: Pick<pg.Pool, 'query'>,
  subjects: readonly string[],
) => Promise<Map<string, Row>>

/** All declared events, by type. Subgraphs declare their events when their modules are loaded. */
export const knownEvents = new Map<string, DeclaredEvent>()

/**
 * Declares events of a subgraph. `meanings` maps each type to one sentence. `data` is the shape of
 * their data, by default any object. If a data source is given, the log stores no data for these
 * events. Throws if a type is declared twice.
 */
export function declareEvents<Type extends string>(
  meanings: Record<Type, string>,
  data: DataShape = anyObject,
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

/** Compiled validators, cached by shape because several event types can share a shape. */
const validators = new WeakMap<DataShape, ValidateFunction>()

/**
 * Returns the data of an event as plain JSON, with instants in ISO 8601 and big integers as
 * strings; null if the type has a data source. Throws an Error if the event is not declared or the
 * data does not match the declaration. Either is a programming error, found before the commit.
 */
export function dataOf({ type, data }: Pick<DomainEvent, 'type' | 'data'>): Row | null {
  const declared = declarationOf(type)
  if ((data === null) !== (declared.source !== null)) {
    throw new Error(
      declared.source
        ? `The event ${type} has a data source; emit it with data: null.`
        : `The event ${type} has no data source; emit it with data.`,
    )
  }
  return data && requireDeclaredShape(declared, plainObject(data))
}

/** Returns events with their data, which comes from the log or from the data source of the type. */
export async function withData<Event extends Pick<LoggedEvent, 'type' | 'subject'>>(
  queries: Pick<pg.Pool, 'query'>,
  events: readonly (Event & { data: unknown })[],
): Promise<(Event & Pick<LoggedEvent, 'data'>)[]> {
  const subjectsBySource = new Map<DataSource, string[]>()
  for (const { type, subject, data } of events) {
    const source = data === null ? declarationOf(type).source : null
    if (!source) continue
    const pending = subjectsBySource.get(source)
    if (pending) pending.push(subject)
    else subjectsBySource.set(source, [subject])
  }
  const dataBySubject = new Map<string, Row>()
  for (const [source, pending] of subjectsBySource) {
    for (const [subject, data] of await source(queries, pending)) dataBySubject.set(subject, data)
  }
  return events.map((event) => {
    const { type, subject } = event
    const data =
      event.data ?? requireDeclaredShape(declarationOf(type), dataBySubject.get(subject) ?? {})
    return { ...event, data: data as LoggedEvent['data'] }
  })
}

function declarationOf(type: string): DeclaredEvent {
  const declared = knownEvents.get(type)
  if (!declared) throw new Error(`No subgraph declares the event ${type}.`)
  return declared
}

/** Returns the data unchanged if it matches the declared shape. Throws an Error otherwise. */
function requireDeclaredShape({ type, ...declared }: DeclaredEvent, data: Row): Row {
  let validate = validators.get(declared.data)
  if (!validate) {
    validate = ajv.compile(declared.data)
    validators.set(declared.data, validate)
  }
  if (validate(data)) return data
  throw new Error(
    `The data of the event ${type} does not match its declaration: ` +
      `${ajv.errorsText(validate.errors)}.`,
  )
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

import { Ajv, type ValidateFunction } from 'ajv'
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

/** An event as its subgraph declares it: what it means, and the shape of its data. */
export interface DeclaredEvent {
  type: string
  /** One sentence. */
  meaning: string
  data: DataShape
}

/** Every event that may be told, by type. Subgraphs declare theirs when they are loaded. */
export const knownEvents = new Map<string, DeclaredEvent>()

/**
 * Declares a subgraph's events, type → one sentence, and the shape of the data they share; any
 * object when none is given. Refuses a type that is declared twice.
 */
export function declareEvents<Type extends string>(
  meanings: Record<Type, string>,
  data: DataShape = anything,
): typeof meanings {
  for (const [type, meaning] of Object.entries<string>(meanings)) {
    if (knownEvents.has(type)) throw new Error(`The event ${type} is declared twice.`)
    knownEvents.set(type, { type, meaning, data })
  }
  return meanings
}

const ajv = new Ajv({ allErrors: true })
ajv.addFormat('date', isLocalDate)
ajv.addFormat('date-time', (text) => parseDateTime(text) !== undefined)

/** Events of one area share one shape, which is compiled once. */
const checks = new WeakMap<DataShape, ValidateFunction>()

/**
 * The data of an event as JSON has it: instants as ISO 8601, whole numbers of any size as text.
 * Throws an Error when nobody declares the event or its data is not of the declared shape: that
 * is our own mistake, and is found before anything is committed.
 */
export function dataOf({ type, data }: Pick<Told, 'type' | 'data'>): Row {
  return asDeclared(type, plainObject(data))
}

/** The same for data that is JSON already; it is not copied. */
export function asDeclared(type: string, data: Row): Row {
  const declared = knownEvents.get(type)
  if (!declared) throw new Error(`No subgraph declares the event ${type}.`)
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

import type { Field, ScalarKind, Shape } from '../domain/model.ts'
import type { Row } from '../writing/writes.ts'
import * as data from './event-data.ts'
import { declareEvents, type DomainEvent } from './events.ts'

const scalarShapes: Readonly<Partial<Record<ScalarKind, data.DataShape>>> = {
  id: data.id,
  string: data.text,
  label: data.text,
  text: data.text,
  versionLabel: data.text,
  boolean: data.boolean,
  integer: data.integer,
  bigInt: data.amountMinor,
  decimal: data.decimal,
  currency: data.currency,
  date: data.date,
  instant: data.instant,
  jsonObject: data.anyObject,
}

/** Returns the shape of the data in a record's events: its fields that are declared `inEvents`. */
export function eventShapeOf(shape: Shape): data.DataShape {
  const members = publishedFields(shape).map(([name, field]) => [name, shapeOf(field)] as const)
  return data.record(Object.fromEntries(members))
}

/** Returns the data of an event about a record. */
export function eventDataOf(shape: Shape, record: object): Row {
  const values = record as Row
  const data: Record<string, unknown> = {}
  for (const name of publishedNames(shape)) data[name] = values[name]
  return data
}

/** Every entity of event subjects, such as `notification`, with the type that the graph has for it. */
export const subjectShapes = new Map<string, Shape>()

/** Declares the type that the graph has for the entity in the subjects of events. */
export function declareSubject(entity: string, shape: Shape): void {
  subjectShapes.set(entity, shape)
}

/** The events of a kind of record: the first part of their subjects, their types and their data. */
export interface RecordEvents<Type extends string> {
  entity: string
  meanings: Readonly<Record<Type, string>>
  /** Returns the data of the record's events. */
  snapshot(record: object): Row
  /**
   * Returns an event about a record. `record` is its state after the change, and `parties` are the
   * parties that receive the event.
   */
  event(type: Type, record: { version: number }, parties?: readonly string[]): DomainEvent
}

/** The types of the events of a kind of record. */
export type EventTypeOf<Declared extends RecordEvents<string>> = keyof Declared['meanings'] & string

/**
 * Declares the events of a kind of record. `entity` is the first part of their subjects, and
 * `meanings` maps each type to one sentence. Their data is the fields that the shape declares
 * `inEvents`.
 */
export function declareRecordEvents<Type extends string>(
  entity: string,
  shape: Shape,
  meanings: Record<Type, string>,
): RecordEvents<Type> {
  declareSubject(entity, shape)
  declareEvents(meanings, eventShapeOf(shape))
  const key = shape.keys[0]!
  const snapshot = (record: object) => eventDataOf(shape, record)
  return {
    entity,
    meanings,
    snapshot,
    event(type, record, parties = []) {
      const subject = `${entity}/${(record as Row)[key] as string}`
      return { type, subject, version: record.version, data: snapshot(record), parties }
    },
  }
}

/** The names of the published fields of each shape, because they are needed for every event. */
const namesByShape = new WeakMap<Shape, readonly string[]>()

function publishedNames(shape: Shape): readonly string[] {
  const names = namesByShape.get(shape) ?? publishedFields(shape).map(([name]) => name)
  namesByShape.set(shape, names)
  return names
}

function publishedFields({ fields }: Shape): [string, Field<unknown>][] {
  return Object.entries(fields).filter(([, { options }]) => options.isInEvents)
}

function shapeOf(field: Field<unknown>): data.DataShape {
  const { type, options } = field
  const single = singleShapeOf(type)
  const shape = options.isList ? data.listOf(single) : single
  return options.isNullable ? data.orNull(shape) : shape
}

function singleShapeOf(type: Field<unknown>['type']): data.DataShape {
  if (typeof type === 'string' && scalarShapes[type]) return scalarShapes[type]
  if (typeof type === 'object' && 'descriptions' in type) return data.oneOf(type.values)
  if (typeof type === 'object' && 'fields' in type) {
    const members = Object.entries(type.fields).map(([name, each]) => [name, shapeOf(each)])
    return data.record(Object.fromEntries(members) as Record<string, data.DataShape>)
  }
  throw new Error(`A field of this type cannot be part of events: ${JSON.stringify(type)}.`)
}

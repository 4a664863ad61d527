import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { idPattern } from '../domain/ids.ts'

/**
 * The shape of an event's data: a TypeBox schema, which is a JSON Schema at run time and yields a
 * TypeScript type through `Static`.
 */
export type DataShape = TSchema
export type { Static }

/**
 * Building blocks of shapes, each a JSON Schema. Code may pass a `Date` for an instant and a
 * `bigint` for an amount.
 */
export const id = Type.String({ pattern: idPattern.source, description: 'An ID.' })
export const text = Type.String()
export const boolean = Type.Boolean()
export const integer = Type.Integer()
export const instant = Type.Unsafe<Date | string>({
  type: 'string',
  format: 'date-time',
  description: 'A point in time, ISO 8601 in UTC.',
})
export const date = Type.String({ format: 'date' })
export const currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'An ISO 4217 currency code.',
})
export const amountMinor = Type.Unsafe<bigint | string>({
  type: 'string',
  pattern: '^-?\\d+$',
  description: 'An amount in minor units of the currency, such as cents for EUR.',
})
export const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })
export const anyObject = Type.Object({}, { additionalProperties: true })

/** Returns the shape of a string that is one of `values`. */
export function oneOf<Value extends string>(values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values] })
}

/** Returns a shape that allows null and everything that `shape` allows. */
export function orNull<Shape extends TSchema>(shape: Shape) {
  return Type.Unsafe<Static<Shape> | null>({ anyOf: [shape, { type: 'null' }] })
}

export function listOf<Shape extends TSchema>(shape: Shape) {
  return Type.Unsafe<readonly Static<Shape>[]>({ type: 'array', items: shape })
}

/** Returns the shape of an object that has `members` and no others. */
export function record<Members extends Record<string, TSchema>>(members: Members) {
  return Type.Object(members, { additionalProperties: false })
}

/**
 * Returns the shape of an object in which each member in `names` is optional and has the shape
 * `shape`.
 */
export function mapOf<Name extends string, Shape extends TSchema>(
  names: readonly Name[],
  shape: Shape,
) {
  const properties = Object.fromEntries(names.map((name) => [name, shape]))
  return Type.Unsafe<Partial<Record<Name, Static<Shape>>>>({
    type: 'object',
    properties,
    additionalProperties: false,
  })
}

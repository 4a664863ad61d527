import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { idPattern } from './domain/ids.ts'

/** The shape of an event's data. TypeBox: it is JSON Schema, and `Static` is its TypeScript type. */
export type DataShape = TSchema
export type { Static }

/** Words for the shapes of data; each is JSON Schema. Instants may be told as a `Date`. */
export const id = Type.String({ pattern: idPattern.source, description: 'An id.' })
export const text = Type.String()
export const flag = Type.Boolean()
export const whole = Type.Integer()
export const instant = Type.Unsafe<Date | string>({
  type: 'string',
  format: 'date-time',
  description: 'ISO 8601 in UTC.',
})
export const day = Type.String({ format: 'date' })
export const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })
export const amountMinor = Type.Unsafe<bigint | string>({
  type: 'string',
  pattern: '^-?\\d+$',
  description: 'In minor units of the currency: cents of a euro.',
})
export const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })
export const anything = Type.Object({}, { additionalProperties: true })

/** One of these texts. */
export function oneOf<Value extends string>(values: readonly Value[]) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values] })
}

/** The shape, or null. */
export function orNull<Shape extends TSchema>(shape: Shape) {
  return Type.Unsafe<Static<Shape> | null>({ anyOf: [shape, { type: 'null' }] })
}

export function listOf<Shape extends TSchema>(shape: Shape) {
  return Type.Unsafe<readonly Static<Shape>[]>({ type: 'array', items: shape })
}

/** These members, all of them, and no other. */
export function record<Members extends Record<string, TSchema>>(members: Members) {
  return Type.Object(members, { additionalProperties: false })
}

/** Some of these members, each of the shape, and no other. */
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

import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type FieldNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from 'graphql'
import { idWire, scalars } from '../subgraphs/_kernel/scalars.ts'
import { enumToWire } from './wire.ts'

export type JsonSchema = Record<string, unknown>

const wireOfScalars = new Map<string, JsonSchema>([
  ['ID', idWire],
  ['String', { type: 'string' }],
  ['Int', { type: 'integer' }],
  ['Float', { type: 'number' }],
  ['Boolean', { type: 'boolean' }],
  ...scalars.map((scalar) => [scalar.name, scalar.extensions['wire'] as JsonSchema] as const),
])

/** The JSON Schema of what a variable takes on the wire. */
export function inputSchema(type: GraphQLInputType): JsonSchema {
  const inner = getNullableType(type)
  if (isListType(inner)) return { type: 'array', items: inputSchema(inner.ofType as never) }
  if (isEnumType(inner)) return enumSchema(inner.getValues().map(({ name }) => name))
  if (isScalarType(inner)) return wireOfScalars.get(inner.name)!
  if (!isInputObjectType(inner)) throw new Error(`${String(type)} has no wire form.`)
  const fields = Object.values(inner.getFields())
  return objectSchema(
    fields.map((field) => ({
      name: field.name,
      isRequired: isNonNullType(field.type) && field.defaultValue === undefined,
      schema: described(inputSchema(field.type), fieldDescription(inner, field.name)),
    })),
  )
}

/** What the graph says of a field of an input; names of the enums beside it have their wire spelling. */
export function fieldDescription(input: GraphQLInputObjectType, name: string): string | undefined {
  const fields = input.getFields()
  const enums = Object.values(fields)
    .map(({ type }) => getNamedType(type))
    .filter(isEnumType)
  const names = new Set(enums.flatMap((each) => each.getValues().map((value) => value.name)))
  const { description } = fields[name]!
  return description?.replace(/[A-Z][A-Z_]+/g, (word) =>
    names.has(word) ? enumToWire(word) : word,
  )
}

/** The JSON Schema of what a selection answers on the wire. Nothing is required: absent means no value. */
export function outputSchema(
  parent: GraphQLObjectType,
  selectionSet: SelectionSetNode,
): JsonSchema {
  const properties = selectionSet.selections.map((selection) => {
    const field = selection as FieldNode
    const definition = parent.getFields()[field.name.value]!
    const schema = memberSchema(definition.type, field)
    return [(field.alias ?? field.name).value, described(schema, definition.description)]
  })
  return { type: 'object', properties: Object.fromEntries(properties) as JsonSchema }
}

function memberSchema(type: GraphQLOutputType, field: FieldNode): JsonSchema {
  const inner = getNullableType(type)
  if (isListType(inner)) return { type: 'array', items: memberSchema(inner.ofType as never, field) }
  if (isEnumType(inner)) return enumSchema(inner.getValues().map(({ name }) => name))
  if (isObjectType(inner)) return outputSchema(inner, field.selectionSet!)
  // What we answer is described by type and format alone; limits are for what we are sent.
  const { type: kind, format } = wireOfScalars.get((inner as { name: string }).name) ?? {}
  return { type: kind, ...(format ? { format } : {}) }
}

/** An object that takes these members and no others. */
export function objectSchema(
  members: readonly { name: string; isRequired: boolean; schema: JsonSchema }[],
): JsonSchema {
  const required = members.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function enumSchema(names: readonly string[]): JsonSchema {
  return { type: 'string', enum: names.map(enumToWire) }
}

/** A schema with what its place means, where that is said. */
export function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema
}

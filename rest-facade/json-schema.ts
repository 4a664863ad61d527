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
import { idWire, scalars } from '../kernel/graph/scalars.ts'
import { enumToWire } from './wire.ts'

export type JsonSchema = Record<string, unknown>

const scalarSchemas = new Map<string, JsonSchema>([
  ['ID', idWire],
  ['String', { type: 'string' }],
  ['Int', { type: 'integer' }],
  ['Float', { type: 'number' }],
  ['Boolean', { type: 'boolean' }],
  ...scalars.map((scalar) => [scalar.name, scalar.extensions['wire'] as JsonSchema] as const),
])

/** Returns the JSON Schema of a variable in its wire format. */
export function inputSchema(type: GraphQLInputType): JsonSchema {
  const inner = getNullableType(type)
  if (isListType(inner)) return { type: 'array', items: inputSchema(inner.ofType as never) }
  if (isEnumType(inner)) return enumSchema(inner.getValues().map(({ name }) => name))
  if (isScalarType(inner)) return scalarSchemas.get(inner.name)!
  if (!isInputObjectType(inner)) throw new Error(`${String(type)} has no wire format.`)
  const fields = Object.values(inner.getFields())
  return objectSchema(
    fields.map((field) => ({
      name: field.name,
      isRequired: isNonNullType(field.type) && field.defaultValue === undefined,
      schema: withDescription(inputSchema(field.type), fieldDescription(inner, field.name)),
    })),
  )
}

/** Returns the description of an input field, with the enum values in wire spelling. */
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

/**
 * Returns the JSON Schema of a response. No member is required, because members without a value are
 * omitted; `x-never-omitted` lists those that always have a value.
 */
export function outputSchema(
  parent: GraphQLObjectType,
  selectionSet: SelectionSetNode,
): JsonSchema {
  const properties: JsonSchema = {}
  const neverOmitted: string[] = []
  for (const selection of selectionSet.selections) {
    const field = selection as FieldNode
    const name = (field.alias ?? field.name).value
    const definition = parent.getFields()[field.name.value]!
    const schema = memberSchema(definition.type, field)
    properties[name] = withDescription(schema, definition.description)
    if (isNonNullType(definition.type)) neverOmitted.push(name)
  }
  return {
    type: 'object',
    properties,
    ...(neverOmitted.length > 0 && { 'x-never-omitted': neverOmitted }),
  }
}

function memberSchema(type: GraphQLOutputType, field: FieldNode): JsonSchema {
  const inner = getNullableType(type)
  if (isListType(inner)) return { type: 'array', items: memberSchema(inner.ofType as never, field) }
  if (isEnumType(inner)) return enumSchema(inner.getValues().map(({ name }) => name))
  if (isObjectType(inner)) return outputSchema(inner, field.selectionSet!)
  // Response members have only a type and a format. Limits such as lengths apply to requests.
  const { type: jsonType, format } = scalarSchemas.get((inner as { name: string }).name) ?? {}
  return { type: jsonType, ...(format ? { format } : {}) }
}

/** Returns the schema of an object that allows only the listed members. */
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

/** Adds the description of an argument or field to its schema, if there is one. */
export function withDescription(
  schema: JsonSchema,
  description: string | null | undefined,
): JsonSchema {
  return description ? { ...schema, description } : schema
}

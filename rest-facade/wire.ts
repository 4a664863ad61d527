import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
  typeFromAST,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { americanSpelling, wireSpelling } from '../kernel/domain/spelling.ts'

/** A conversion of a value between its wire format and the graph's format. */
export type Converter = (value: unknown) => unknown

/** Converts an enum value from wire spelling to GraphQL: `under-review` becomes UNDER_REVIEW. */
export const enumToGraph = (wire: string) =>
  americanSpelling(wire.toLowerCase()).toUpperCase().replaceAll('-', '_')
export const enumToWire = (name: string) => wireSpelling(name.toLowerCase().replaceAll('_', '-'))

export function operationOf(document: DocumentNode): OperationDefinitionNode {
  return document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!
}

/** Returns the types of an operation's variables by name. */
export function variableTypes(
  schema: GraphQLSchema,
  document: DocumentNode,
): Map<string, GraphQLInputType> {
  const definitions = operationOf(document).variableDefinitions ?? []
  return new Map(
    definitions.map(({ variable, type }) => [
      variable.name.value,
      typeFromAST(schema, type as never) as unknown as GraphQLInputType,
    ]),
  )
}

/**
 * Compiles the conversion of a request member to a variable. Only enum values change. Returns null
 * if the type contains no enum.
 */
export function toGraph(type: GraphQLInputType): Converter | null {
  const inner = getNullableType(type)
  if (isEnumType(inner)) {
    return (value) => (typeof value === 'string' ? enumToGraph(value) : value)
  }
  if (isListType(inner)) {
    const item = toGraph(inner.ofType as GraphQLInputType)
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value))
  }
  if (!isInputObjectType(inner)) return null
  const fields = Object.values(inner.getFields()).flatMap(({ name, type: fieldType }) => {
    const convert = toGraph(fieldType)
    return convert ? [[name, convert] as const] : []
  })
  if (fields.length === 0) return null
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const copy: Record<string, unknown> = { ...value }
    for (const [name, convert] of fields) if (name in copy) copy[name] = convert(copy[name])
    return copy
  }
}

/**
 * Compiles the conversion of a GraphQL result to a REST response: members in the order of the
 * selection, without members that are null, with enum values in wire spelling.
 */
export function toWire(
  schema: GraphQLSchema,
  parent: GraphQLObjectType,
  selectionSet: SelectionSetNode,
): Converter {
  const members = selectionSet.selections.map((selection) => {
    const field = selection as FieldNode
    const key = (field.alias ?? field.name).value
    const type = parent.getFields()[field.name.value]!.type
    return { key, convert: memberToWire(schema, type, field) }
  })
  return (value) => {
    const response: Record<string, unknown> = {}
    for (const { key, convert } of members) {
      const member = (value as Record<string, unknown>)[key]
      if (member === null || member === undefined) continue
      response[key] = convert ? convert(member) : member
    }
    return response
  }
}

function memberToWire(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  field: FieldNode,
): Converter | null {
  const inner = getNullableType(type)
  if (isListType(inner)) {
    const item = memberToWire(schema, inner.ofType as GraphQLOutputType, field)
    return (
      item && ((value) => (value as unknown[]).map((each) => (each === null ? each : item(each))))
    )
  }
  const named = getNamedType(inner)
  if (isEnumType(named)) return (value) => enumToWire(value as string)
  if (isObjectType(named)) return toWire(schema, named, field.selectionSet!)
  return null
}

/**
 * Replaces each text member of a response that differs only in case from the member with the same
 * name in the request. Enum values are case-insensitive; a caller who sends `ACTIVE` gets `ACTIVE`
 * back.
 */
export function echoSpelling(response: unknown, request: unknown): void {
  if (!isRecord(response) || !isRecord(request)) return
  for (const [name, value] of Object.entries(response)) {
    const requested = request[name]
    if (typeof value !== 'string' || typeof requested !== 'string' || value === requested) continue
    if (value.toLowerCase() === requested.toLowerCase()) response[name] = requested
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

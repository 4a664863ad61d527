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

/** Turns a value between its wire form and the graph's. */
export type Convert = (value: unknown) => unknown

/** `under-review` on the wire is UNDER_REVIEW in the graph. */
export const enumToGraph = (wire: string) => wire.toUpperCase().replaceAll('-', '_')
export const enumToWire = (name: string) => name.toLowerCase().replaceAll('_', '-')

export function operationOf(document: DocumentNode): OperationDefinitionNode {
  return document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!
}

/** The types of an operation's variables, by name. */
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

/** How a member of a request becomes a variable: names of enums change their spelling, nothing else does. */
export function toGraph(type: GraphQLInputType): Convert | null {
  const inner = getNullableType(type)
  if (isEnumType(inner)) {
    return (value) => (typeof value === 'string' ? enumToGraph(value) : value)
  }
  if (isListType(inner)) {
    const item = toGraph(inner.ofType as GraphQLInputType)
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value))
  }
  if (!isInputObjectType(inner)) return null
  const fields = Object.values(inner.getFields()).flatMap(({ name, type: of }) => {
    const convert = toGraph(of)
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
 * How the answer of a selection becomes what REST sends: members in the order of the document,
 * absent instead of null, enums in their wire spelling.
 */
export function toWire(
  schema: GraphQLSchema,
  parent: GraphQLObjectType,
  selectionSet: SelectionSetNode,
): Convert {
  const members = selectionSet.selections.map((selection) => {
    const field = selection as FieldNode
    const key = (field.alias ?? field.name).value
    const type = parent.getFields()[field.name.value]!.type
    return { key, convert: memberToWire(schema, type, field) }
  })
  return (value) => {
    const answer: Record<string, unknown> = {}
    for (const { key, convert } of members) {
      const member = (value as Record<string, unknown>)[key]
      if (member === null || member === undefined) continue
      answer[key] = convert ? convert(member) : member
    }
    return answer
  }
}

function memberToWire(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  field: FieldNode,
): Convert | null {
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
 * Names are compared without case, and answered in the spelling they were sent in: a caller that
 * sent `ACTIVE` finds `ACTIVE`.
 */
export function echoSpelling(answer: unknown, sent: unknown): void {
  if (!isRecord(answer) || !isRecord(sent)) return
  for (const [name, value] of Object.entries(answer)) {
    const asked = sent[name]
    if (typeof value !== 'string' || typeof asked !== 'string' || value === asked) continue
    if (value.toLowerCase() === asked.toLowerCase()) answer[name] = asked
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

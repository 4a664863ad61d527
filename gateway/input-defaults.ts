import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
  valueFromASTUntyped,
  type DocumentNode,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'

type FillDefaults = (variables: Record<string, unknown>) => Record<string, unknown>

/**
 * Compiles a function that adds the defaults of the schema for missing properties in the values of
 * variables. Documents compiled by graphql-jit need it, because they reject a missing required
 * field even if it has a default. Returns null if no variable of the document has a type with
 * defaults.
 */
export function defaultsFor(schema: GraphQLSchema, document: DocumentNode): FillDefaults | null {
  const types = new Map<string, GraphQLInputType>()
  for (const definition of document.definitions) {
    if (definition.kind !== 'OperationDefinition') continue
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const inputType = typeFromAST(schema, type as never) as GraphQLInputType | undefined
      if (inputType && hasDefaults(inputType, new Set())) types.set(variable.name.value, inputType)
    }
  }
  if (types.size === 0) return null
  return (variables) => {
    const filled = { ...variables }
    for (const [name, type] of types) filled[name] = fill(type, filled[name])
    return filled
  }
}

function hasDefaults(type: GraphQLInputType, visited: Set<GraphQLInputObjectType>): boolean {
  const namedType = getNamedType(type)
  if (!isInputObjectType(namedType) || visited.has(namedType)) return false
  visited.add(namedType)
  return Object.values(namedType.getFields()).some(
    (field) => field.astNode?.defaultValue !== undefined || hasDefaults(field.type, visited),
  )
}

function fill(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return fill(type.ofType, value)
  if (isListType(type)) {
    return Array.isArray(value)
      ? value.map((item) => fill(type.ofType, item))
      : fill(type.ofType, value)
  }
  if (!isInputObjectType(type) || !isObject(value)) return value
  const filled: Record<string, unknown> = { ...value }
  for (const { name, type: memberType, astNode } of Object.values(type.getFields())) {
    if (filled[name] !== undefined) filled[name] = fill(memberType, filled[name])
    else if (astNode?.defaultValue) filled[name] = valueFromASTUntyped(astNode.defaultValue)
  }
  return filled
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

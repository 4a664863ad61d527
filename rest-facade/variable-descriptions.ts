import {
  getNamedType,
  isInputObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type ValueNode,
} from 'graphql'
import { fieldDescription } from './json-schema.ts'

/** What the graph says of the place that each variable fills, by the variable's name. */
export function variableDescriptions(
  schema: GraphQLSchema,
  document: DocumentNode,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const keep = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === 'Variable' && description) found.set(value.name.value, description)
  }
  const types = new TypeInfo(schema)
  const visitor = visitWithTypeInfo(types, {
    Argument: ({ value }) => keep(value, types.getArgument()?.description),
    ObjectField: ({ name, value }) => {
      const parent = getNamedType(types.getParentInputType())
      if (isInputObjectType(parent)) keep(value, fieldDescription(parent, name.value))
    },
  })
  visit(document, visitor)
  return found
}

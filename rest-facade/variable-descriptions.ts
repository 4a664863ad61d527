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

/**
 * Returns the descriptions of the arguments and input fields that the variables fill, by variable
 * name.
 */
export function variableDescriptions(
  schema: GraphQLSchema,
  document: DocumentNode,
): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>()
  const addDescription = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === 'Variable' && description) descriptions.set(value.name.value, description)
  }
  const types = new TypeInfo(schema)
  const visitor = visitWithTypeInfo(types, {
    Argument: ({ value }) => addDescription(value, types.getArgument()?.description),
    ObjectField: ({ name, value }) => {
      const parent = getNamedType(types.getParentInputType())
      if (isInputObjectType(parent)) addDescription(value, fieldDescription(parent, name.value))
    },
  })
  visit(document, visitor)
  return descriptions
}

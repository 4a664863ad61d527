import {
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
} from 'graphql'
import { createOperation, type Operation } from './operation.ts'

/** The name of the variable that contains the ID of the event. */
export const eventIdVariable = 'businessEventId_'

/**
 * Builds a query for a single event from the client's subscription, with the same selection and the
 * variables and fragments that the selection uses.
 */
export function eventQuery(
  operation: Operation,
  node: OperationDefinitionNode,
  field: FieldNode,
): Operation {
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const
  const variable = { kind: Kind.VARIABLE, name: name(eventIdVariable) } as const
  const eventField: FieldNode = {
    ...field,
    alias: field.alias ?? name(field.name.value),
    name: name('businessEvent'),
    arguments: [{ kind: Kind.ARGUMENT, name: name('eventId'), value: variable }],
  }
  const fragments = operation.document.definitions.filter(
    (definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION &&
      definition.typeCondition.name.value !== 'Subscription',
  )
  const usedNames = variableNames([eventField, ...fragments])
  const idType = {
    kind: Kind.NON_NULL_TYPE,
    type: { kind: Kind.NAMED_TYPE, name: name('ID') },
  } as const
  const query: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: 'query' as OperationDefinitionNode['operation'],
    variableDefinitions: [
      { kind: Kind.VARIABLE_DEFINITION, variable, type: idType },
      ...(node.variableDefinitions ?? []).filter((item) => usedNames.has(item.variable.name.value)),
    ],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [eventField] },
  }
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [query, ...fragments] }
  return createOperation(document, `event:${operation.hash}:${operation.name ?? ''}`)
}

function variableNames(nodes: readonly object[]): Set<string> {
  const names = new Set<string>()
  for (const node of nodes) {
    visit(node as FieldNode, { Variable: ({ name }) => void names.add(name.value) })
  }
  return names
}

/** Returns the values of those variables that the document uses. */
export function usedVariables(document: DocumentNode, variables: Record<string, unknown>) {
  const usedNames = variableNames(document.definitions)
  return Object.fromEntries(Object.entries(variables).filter(([name]) => usedNames.has(name)))
}

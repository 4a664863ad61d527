import { valueFromASTUntyped, type DocumentNode, type OperationDefinitionNode } from 'graphql'
import { hashOfDocument } from './persisted-queries.ts'

/** A validated document, with the hash under which its query plan is cached. */
export interface Operation {
  document: DocumentNode
  hash: string
  name: string | undefined
  /**
   * Whether the document is the platform's own or a registered one, so that its name is one of few.
   * Clients name other operations as they like.
   */
  isKnown: boolean
}

/**
 * Creates an operation from a validated document, or from a document that the platform itself has
 * built.
 */
export function createOperation(
  document: DocumentNode,
  text: string,
  name?: string,
  isKnown = false,
): Operation {
  return { document, hash: hashOfDocument(text), name, isKnown }
}

/**
 * Returns the operation that has this name in a document, or the first operation if there is no
 * name; undefined if the document has no such operation.
 */
export function operationOf(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined {
  return document.definitions.find(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === 'OperationDefinition' && (!name || definition.name?.value === name),
  )
}

type Variables = Record<string, unknown>

const defaults = new WeakMap<OperationDefinitionNode, Variables | null>()

/**
 * Returns the variables with the defaults of the operation for those that were not sent. The plan
 * and the subgraphs would only see the variables that were.
 */
export function withDefaults({ document, name }: Operation, variables: Variables): Variables {
  const operation = operationOf(document, name)
  if (!operation) return variables
  let values = defaults.get(operation)
  if (values === undefined) {
    values = defaultsIn(operation)
    defaults.set(operation, values)
  }
  if (!values) return variables
  const sent = Object.entries(variables).filter(([, value]) => value !== undefined)
  return { ...values, ...Object.fromEntries(sent) }
}

function defaultsIn({ variableDefinitions = [] }: OperationDefinitionNode): Variables | null {
  const entries = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  )
  return entries.length > 0 ? Object.fromEntries(entries) : null
}

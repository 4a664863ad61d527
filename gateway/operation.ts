import { createHash } from 'node:crypto'
import type { DocumentNode, OperationDefinitionNode } from 'graphql'

/** A validated document, with the hash under which its query plan is cached. */
export interface Operation {
  document: DocumentNode
  hash: string
  name: string | undefined
}

/**
 * Creates an operation from a validated document, or from a document that the platform itself has
 * built.
 */
export function createOperation(document: DocumentNode, text: string, name?: string): Operation {
  return { document, hash: createHash('sha256').update(text).digest('hex'), name }
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

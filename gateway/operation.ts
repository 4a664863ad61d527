import { createHash } from 'node:crypto'
import type { DocumentNode, OperationDefinitionNode } from 'graphql'

/** A document that has been validated, with the hash that its query plan is kept under. */
export interface Operation {
  document: DocumentNode
  hash: string
  name: string | undefined
}

/** An operation of ours or one whose validation has passed. */
export function prepare(document: DocumentNode, text: string, name?: string): Operation {
  return { document, hash: createHash('sha256').update(text).digest('hex'), name }
}

/** The operation of a document that will run. */
export function operationOf(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined {
  return document.definitions.find(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === 'OperationDefinition' && (!name || definition.name?.value === name),
  )
}

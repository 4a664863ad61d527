import { parse, print, type DocumentNode } from 'graphql'
import type { GraphDocument } from './typed-document.ts'

/** What is sent for a document. */
export interface PreparedDocument {
  query: string
  operationName: string
  kind: 'query' | 'mutation' | 'subscription'
}

const prepared = new WeakMap<object, PreparedDocument>()

/** Returns the text of a document and what it does. Throws a `GraphQLError` for a syntax error. */
export function prepare(document: GraphDocument<never, never>): PreparedDocument {
  const known = typeof document === 'object' ? prepared.get(document) : undefined
  if (known) return known
  const given = treeOf(document)
  const operation = (given ?? parse(textOf(document))).definitions.find(
    (definition) => definition.kind === 'OperationDefinition',
  )
  if (!operation) throw new TypeError('The document contains no operation.')
  const result = {
    query: given ? print(given) : textOf(document),
    operationName: operation.name?.value ?? operation.operation,
    kind: operation.operation,
  }
  if (typeof document === 'object') prepared.set(document, result)
  return result
}

/** A text, or an object whose `toString` returns the text (`TypedDocumentString`). */
const textOf = (document: { toString(): string }): string => document.toString()

/** Returns the syntax tree; undefined if the document is a text. */
const treeOf = (document: unknown): DocumentNode | undefined =>
  typeof document === 'object' && document !== null && 'definitions' in document
    ? (document as DocumentNode)
    : undefined

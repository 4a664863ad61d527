/**
 * A GraphQL document with the types of its result and variables, as GraphQL Code Generator
 * (`TypedSyntaxTree`, `TypedDocumentString`) and gql.tada create it.
 */
export interface TypedDocument<Result, Variables> {
  /** Exists only in the types. */
  __apiType?: (variables: Variables) => Result
}

/** The syntax tree of a document, as `parse` and `gql` return it. */
export interface SyntaxTree {
  readonly kind: 'Document'
  readonly definitions: readonly object[]
}

/** A document: typed, or the text or the syntax tree of one. */
export type GraphDocument<Result, Variables> =
  (TypedDocument<Result, Variables> & (SyntaxTree | { toString(): string })) | string

import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql'

/** The names of the fields that a document selects of a record. */
export type SelectedFields = ReadonlySet<string>

/** The part of `GraphQLResolveInfo` that says what the document selects. */
export type Selection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>

/** The fields between a connection and its records. */
const connectionFields = new Set(['nodes', 'edges', 'node'])
const noFields: ReadonlySet<string> = new Set()

/** By the list of nodes and not by a node, because `@include` can add further nodes. */
const fieldsByNodes = new WeakMap<readonly FieldNode[], SelectedFields>()

/** Returns the fields that a document selects of the records of a connection. */
export const selectedOfNodes = (selection: Selection): SelectedFields =>
  fieldsOf(selection, connectionFields)

/** Returns the fields that a document selects of a record, whatever its type. */
export const selectedOfRecord = (selection: Selection): SelectedFields =>
  fieldsOf(selection, noFields)

/** Collects names once for each document. `between` are fields whose own fields are collected. */
function fieldsOf({ fieldNodes, fragments }: Selection, between: ReadonlySet<string>) {
  const known = fieldsByNodes.get(fieldNodes)
  if (known) return known
  const names = new Set<string>()
  const collect = (set: SelectionSetNode | undefined) => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === 'FragmentSpread')
        collect(fragments[selection.name.value]!.selectionSet)
      else if (selection.kind === 'InlineFragment') collect(selection.selectionSet)
      else if (between.has(selection.name.value)) collect(selection.selectionSet)
      else names.add(selection.name.value)
    }
  }
  for (const node of fieldNodes) collect(node.selectionSet)
  fieldsByNodes.set(fieldNodes, names)
  return names
}

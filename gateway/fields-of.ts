import { Kind, type DocumentNode, type FieldNode, type SelectionSetNode } from 'graphql'

/**
 * Returns the fields of a selection set, including those in its fragments. The document must be
 * valid: a cycle of fragments would not end.
 */
export function fieldsOf(document: DocumentNode, set: SelectionSetNode): FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection]
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(document, selection.selectionSet)
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
    )
    return fragment && 'selectionSet' in fragment ? fieldsOf(document, fragment.selectionSet) : []
  })
}

/** Returns the key of a field in the response: its alias, or its name. */
export const responseKeyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

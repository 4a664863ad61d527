import { Kind, visit, type DocumentNode, type SelectionSetNode } from 'graphql'

/** How often one response name may be selected with a selection of its own in one place. */
export const maxRepeats = 20

/**
 * The first response name that a document selects too often in one selection set, inline fragments
 * included; null if there is none. GraphQL's rule for overlapping fields compares every two of them,
 * at all levels below, so its time grows with the square of the repetitions.
 */
export function repeatedField(document: DocumentNode): string | null {
  let repeated: string | null = null
  visit(document, {
    [Kind.SELECTION_SET](set) {
      repeated ??= repeatedIn(set, new Map())
    },
  })
  return repeated
}

function repeatedIn(set: SelectionSetNode, counts: Map<string, number>): string | null {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const repeated = repeatedIn(selection.selectionSet, counts)
      if (repeated !== null) return repeated
      continue
    }
    if (!selection.selectionSet) continue
    const name = (selection.alias ?? selection.name).value
    const count = (counts.get(name) ?? 0) + 1
    if (count > maxRepeats) return name
    counts.set(name, count)
  }
  return null
}

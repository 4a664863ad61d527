import { Kind, visit, type DocumentNode, type SelectionSetNode } from 'graphql'

/**
 * The maximum number of times that a response name with a selection set may occur in one selection
 * set.
 */
export const maxRepeats = 20

/**
 * Returns the first response name that occurs too often in one selection set, including its inline
 * fragments; null if there is none. The limit is needed because GraphQL's rule for overlapping
 * fields compares each pair of equal names with all their nested fields, so its time grows with the
 * square of the repetitions.
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

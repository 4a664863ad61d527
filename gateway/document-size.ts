import { Kind, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql'

/** The size of a selection set, including the fragments it spreads. */
interface Size {
  depth: number
  selections: number
  /** The fields of the selection set itself. A fragment adds its fields each time it is spread. */
  rootFields: number
}

/** Returns a function that measures selection sets, each fragment once, in linear time. */
export function createMeasurer(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const sizes = new Map<string, Size>()
  const openFragments = new Set<string>()
  const measure = (set: SelectionSetNode): Size => {
    const total = { depth: 0, selections: 0, rootFields: 0 }
    for (const selection of set.selections) {
      const size = sizeOf(selection)
      total.depth = Math.max(total.depth, size.depth)
      total.selections = sum(total.selections, size.selections)
      total.rootFields = sum(total.rootFields, size.rootFields)
    }
    return total
  }
  const sizeOf = (selection: SelectionSetNode['selections'][number]): Size => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(selection.name.value)
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet)
    if (!selection.selectionSet) return { depth: 1, selections: 1, rootFields: 1 }
    // A meta field counts as one field, because introspection reads no data and its standard query
    // exceeds the depth limit.
    if (selection.name.value.startsWith('__')) return { depth: 1, selections: 1, rootFields: 1 }
    const inner = measure(selection.selectionSet)
    return { depth: inner.depth + 1, selections: sum(inner.selections, 1), rootFields: 1 }
  }
  const sizeOfFragment = (name: string): Size => {
    const size = sizes.get(name)
    if (size) return size
    const fragment = fragments.get(name)
    // The validation rules of GraphQL reject unknown fragments and cycles later.
    if (!fragment || openFragments.has(name)) return { depth: 0, selections: 0, rootFields: 0 }
    openFragments.add(name)
    const fragmentSize = measure(fragment.selectionSet)
    openFragments.delete(name)
    sizes.set(name, fragmentSize)
    return fragmentSize
  }
  return measure
}

/** Fragments that double exceed every limit long before a sum stops being exact. */
const sum = (one: number, other: number): number => Math.min(one + other, Number.MAX_SAFE_INTEGER)

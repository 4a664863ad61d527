import { visit, type ValueNode } from 'graphql'

/** Returns the distinct names of the variables in a literal. */
export function variablesIn(node: ValueNode): string[] {
  const names = new Set<string>()
  visit(node, { Variable: ({ name }) => void names.add(name.value) })
  return [...names]
}

import { registerEnumType } from 'type-graphql'

/**
 * Registers an enum from its wire values: `under-review` is UNDER_REVIEW in the graph. The facade
 * relies on that spelling, so every enum of the graph is made here.
 */
export function wireEnum<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
): Record<string, Value> {
  const entries = Object.fromEntries(
    values.map((value) => [value.toUpperCase().replaceAll('-', '_'), value]),
  )
  registerEnumType(entries, { name, description })
  return entries
}

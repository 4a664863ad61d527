import { registerEnumType } from 'type-graphql'

/**
 * Registers an enum from its wire values: `under-review` becomes UNDER_REVIEW in the graph. The REST
 * facade relies on that spelling, so every enum of the graph is registered here.
 *
 * `descriptions` describes each value, keyed by its wire spelling.
 */
export function wireEnum<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  descriptions?: Readonly<Record<Value, string>>,
): Record<string, Value> {
  const entries = Object.fromEntries(values.map((value) => [graphSpelling(value), value]))
  const valuesConfig = Object.fromEntries(
    values.map((value) => [graphSpelling(value), { description: descriptions?.[value] }]),
  )
  registerEnumType(entries, { name, description, valuesConfig })
  return entries
}

const graphSpelling = (value: string): string => value.toUpperCase().replaceAll('-', '_')

import { registerEnumType } from 'type-graphql'

/**
 * Registers a GraphQL enum from its wire values: `under-review` becomes UNDER_REVIEW. The REST
 * facade derives its spelling from the same rule, so every enum of the graph is registered here.
 * `descriptions` holds one sentence per wire value, for the schema.
 */
export function wireEnum<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  descriptions?: Readonly<Record<Value, string>>,
): Record<string, Value> {
  const entries = Object.fromEntries(values.map((value) => [graphName(value), value]))
  const valuesConfig = Object.fromEntries(
    values.map((value) => [graphName(value), { description: descriptions?.[value] }]),
  )
  registerEnumType(entries, { name, description, valuesConfig })
  return entries
}

function graphName(value: string): string {
  return value.toUpperCase().replaceAll('-', '_')
}

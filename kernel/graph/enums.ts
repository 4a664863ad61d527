import { registerEnumType } from 'type-graphql'
import { americanSpelling } from '../domain/spelling.ts'

/**
 * Registers a GraphQL enum for wire values: `under-review` becomes `UNDER_REVIEW`. Every enum must
 * be registered with this function, because the REST facade converts values by the same rule.
 *
 * `descriptions` maps each wire value to its description.
 */
export function wireEnum<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  descriptions: Readonly<Record<Value, string>>,
): Record<string, Value> {
  const entries = Object.fromEntries(values.map((value) => [graphSpelling(value), value]))
  const valuesConfig = Object.fromEntries(
    values.map((value) => [graphSpelling(value), { description: descriptions[value] }]),
  )
  registerEnumType(entries, { name, description, valuesConfig })
  return entries
}

const graphSpelling = (value: string): string =>
  americanSpelling(value).toUpperCase().replaceAll('-', '_')

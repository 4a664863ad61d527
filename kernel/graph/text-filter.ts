import { filterDescription, filterValue } from '../domain/filter-value.ts'
import { string, type Enumeration } from '../domain/model.ts'
import type { Operation } from './operations.ts'

/** Returns a filter by an enumeration, given as text. See `withTextFilter`. */
export const textFilter = <Value extends string>(intro: string, type: Enumeration<Value>) =>
  string(filterDescription(intro, type.values)).orNull().as<Value | null>()

/**
 * Returns a list whose filter `name`, declared with `textFilter`, may be spelled as in the graph or
 * as in REST. The list gets the value of the enumeration. It throws VALIDATION_FAILED for any other
 * text.
 */
export const withTextFilter = (
  list: Operation,
  name: string,
  { values }: Enumeration,
): Operation => ({
  ...list,
  resolve(context, args: Readonly<Record<string, unknown>>, operationName, selection) {
    const value = filterValue(args[name] as string | null, values, `/${name}`)
    return list.resolve(context, { ...args, [name]: value }, operationName, selection)
  },
})

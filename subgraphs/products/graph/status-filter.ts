import { filterDescription, filterValue } from '../../../kernel/domain/filter-value.ts'
import { string, type Enumeration } from '../../../kernel/domain/model.ts'
import type { Operation } from '../../../kernel/graph/operations.ts'

/** Returns the filter of a list by status, given as text. */
export const statusFilter = <Status extends string>(intro: string, type: Enumeration<Status>) =>
  string(filterDescription(intro, type.values)).orNull().as<Status | null>()

/**
 * Returns a list whose `status` filter may be spelled as in the graph or as in REST. The list gets
 * the value of the enumeration. It throws VALIDATION_FAILED for any other text.
 */
export const withStatusFilter = (list: Operation, { values }: Enumeration): Operation => ({
  ...list,
  resolve(context, args: Readonly<Record<string, unknown>>, name) {
    const status = filterValue(args['status'] as string | null, values, '/status')
    return list.resolve(context, { ...args, status }, name)
  },
})

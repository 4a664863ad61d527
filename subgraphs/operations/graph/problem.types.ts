import {
  boolean,
  graphType,
  integer,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { registerEnumType } from 'type-graphql'
import { catalog, problemCodes, type ProblemCode } from '../../../kernel/domain/problem.ts'

/**
 * The problem codes. All other enums are registered with `wireEnum`, which turns a lower-case wire
 * value such as `under-review` into an upper-case enum value. Problem codes are upper case in REST
 * and in the graph, so that this enum needs no conversion.
 */
export const ErrorCode: Partial<Record<ProblemCode, ProblemCode>> = {}
const valuesConfig: Partial<Record<ProblemCode, { description: string }>> = {}

registerEnumType(ErrorCode, {
  name: 'ErrorCode',
  description:
    'The code of a problem, as returned in `extensions.code` of GraphQL errors and in `code` of ' +
    'REST problem details.',
  valuesConfig,
})

/**
 * Sets the values of the enum, once every area has declared its problem codes. They are set anew, in
 * the order of `problemCodes`, if more areas were loaded since.
 */
export function addErrorCodes(): void {
  for (const code of problemCodes()) delete ErrorCode[code]
  for (const code of problemCodes()) {
    ErrorCode[code] = code
    valuesConfig[code] = { description: catalog[code].title }
  }
}

export const ProblemKind = shape('ProblemKind', 'An entry of the problem catalog.', {
  code: graphType<ProblemCode>(() => ErrorCode, 'The code of the problem.'),
  status: integer('The HTTP status code with which the REST API returns the problem.'),
  title: string('A short summary of the problem.'),
  retryable: boolean('Whether a retry of the same request may succeed.'),
})
export type ProblemKind = TypeOf<typeof ProblemKind>

/** Returns the entries of the problem catalog in the order of `problemCodes`. */
export function problemKinds(): ProblemKind[] {
  return problemCodes().map((code) => {
    const { status, title } = catalog[code]
    return { code, status, title, retryable: 'retryable' in catalog[code] }
  })
}

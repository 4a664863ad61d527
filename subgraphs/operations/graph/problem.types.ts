import { Field, Int, ObjectType, registerEnumType } from 'type-graphql'
import { catalogue, type ProblemCode } from '../../_kernel/domain/problem.ts'

const codes = Object.keys(catalogue) as ProblemCode[]

/**
 * The problem codes. Other enums of the graph are upper-cased wire values, which the REST facade
 * converts back. Codes are upper case on the wire too, so they are registered without conversion.
 */
export const ErrorCode = Object.fromEntries(codes.map((code) => [code, code]))

registerEnumType(ErrorCode, {
  name: 'ErrorCode',
  description:
    'The code of a problem, as returned in `extensions.code` of GraphQL errors and in `code` of ' +
    'REST problem details.',
  valuesConfig: Object.fromEntries(
    codes.map((code) => [code, { description: catalogue[code].title }]),
  ),
})

@ObjectType({ description: 'An entry of the problem catalog.' })
export class ProblemKind {
  @Field(() => ErrorCode, { description: 'The code of the problem.' })
  code: ProblemCode

  @Field(() => Int, {
    description: 'The HTTP status code with which the REST API returns the problem.',
  })
  status: number

  @Field(() => String, { description: 'A short summary of the problem.' })
  title: string

  @Field(() => Boolean, { description: 'Whether the same request may succeed later.' })
  retryable: boolean
}

/** The entries of the catalog, in the order in which the checks are made. */
export const problemKinds: readonly ProblemKind[] = codes.map((code) => {
  const { status, title } = catalogue[code]
  return { code, status, title, retryable: 'retryable' in catalogue[code] }
})

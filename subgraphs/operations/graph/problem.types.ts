import { Field, Int, ObjectType, registerEnumType } from 'type-graphql'
import { catalogue, type ProblemCode } from '../../_kernel/domain/problem.ts'

const codes = Object.keys(catalogue) as ProblemCode[]

/**
 * The codes as they are. Other enums of the graph are the wire's spelling in capitals, and the
 * facade turns them back; a code is spelled in capitals on the wire too, so it is registered here.
 */
export const ErrorCode = Object.fromEntries(codes.map((code) => [code, code]))

registerEnumType(ErrorCode, {
  name: 'ErrorCode',
  description: 'What a refusal says in `extensions.code`, and in REST as `code`.',
  valuesConfig: Object.fromEntries(
    codes.map((code) => [code, { description: catalogue[code].title }]),
  ),
})

@ObjectType({ description: 'One line of the error catalogue.' })
export class ProblemKind {
  @Field(() => ErrorCode)
  code: ProblemCode

  @Field(() => Int, { description: 'The HTTP status it is told with in REST.' })
  status: number

  @Field(() => String)
  title: string

  @Field(() => Boolean, { description: 'Whether the same request may succeed later.' })
  retryable: boolean
}

/** The catalogue in its own order, which is the order of the checks. */
export const problemKinds: readonly ProblemKind[] = codes.map((code) => {
  const { status, title } = catalogue[code]
  return { code, status, title, retryable: 'retryable' in catalogue[code] }
})

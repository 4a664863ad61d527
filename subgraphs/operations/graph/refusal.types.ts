import { Field, ID, InputType, ObjectType } from 'type-graphql'
import type { ProblemCode } from '../../../kernel/domain/problem.ts'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { BigIntScalar, DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import type { Refusal } from '../domain/refusal.ts'
import { ErrorCode } from './problem.types.ts'

@ObjectType({
  description:
    'A group of equal requests that were rejected within one hour, stored as one record.',
})
export class AuditRefusal implements Refusal {
  @Field(() => ID, { description: 'The ID of the record.' })
  refusalId: string

  @Field(() => String, {
    nullable: true,
    description:
      'The ID of the calling OAuth client; null if the token was invalid, and if `operation` ' +
      'is `*`.',
  })
  clientId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the party for whom the client acted; null if it acted for none.',
  })
  partyId: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The subject of the token; null if it is not a valid subject.',
  })
  subject: string | null

  @Field(() => String, {
    description:
      'The root field of the GraphQL operation, or the HTTP method and path of requests that ' +
      'were rejected before execution. The value is `*` if too many different requests were ' +
      'rejected to record each of them.',
  })
  operation: string

  @Field(() => ErrorCode, {
    description: 'The code of the problem with which the requests were rejected.',
  })
  code: ProblemCode

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the requested record; null if the problem names none.',
  })
  resourceId: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the requested record exists but is not visible to the caller; null unless the ' +
      'request failed because a record was not found.',
  })
  isThere: boolean | null

  @Field(() => BigIntScalar, {
    description: 'The number of requests in the group.',
  })
  count: bigint

  @Field(() => DateTimeScalar, {
    description: 'When the first of the requests was rejected, in real time and UTC.',
  })
  firstAt: Date

  @Field(() => DateTimeScalar, {
    description: 'When the latest of the requests was rejected, in real time and UTC.',
  })
  lastAt: Date

  @Field(() => String, {
    nullable: true,
    description: 'The `X-Request-Id` of the latest request; null if there is none.',
  })
  requestId: string | null
}

export const AuditRefusalConnection = connectionOf('AuditRefusal', () => AuditRefusal)

@InputType({
  description: 'The filter for rejected requests. All fields that are sent must match.',
})
export class AuditRefusalFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Returns only requests of this OAuth client.',
  })
  clientId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'Returns only requests that were made for this party.',
  })
  partyId?: string | null

  @Field(() => ErrorCode, {
    nullable: true,
    description: 'Returns only requests that were rejected with this problem code.',
  })
  code?: ProblemCode | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Returns only requests for records that exist but are not visible to the caller (`true`), ' +
      'or that do not exist (`false`).',
  })
  isThere?: boolean | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Returns only records whose latest request was rejected at or after this time.',
  })
  since?: Date | null
}

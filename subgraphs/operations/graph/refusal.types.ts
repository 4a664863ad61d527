import { Field, ID, InputType, ObjectType } from 'type-graphql'
import type { ProblemCode } from '../../_kernel/domain/problem.ts'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { BigIntScalar, DateTimeScalar } from '../../_kernel/scalars.ts'
import type { Refusal } from '../domain/refusal.ts'
import { ErrorCode } from './problem.types.ts'

@ObjectType({
  description:
    'Rejected requests that are alike and occurred within one hour, counted as one record.',
})
export class AuditRefusal implements Refusal {
  @Field(() => ID, { description: 'The unique identifier of the record.' })
  refusalId: string

  @Field(() => String, {
    nullable: true,
    description: 'The identifier of the calling OAuth client; null when the token was invalid.',
  })
  clientId: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The identifier of the party for whom the client acted; null when it acted for none.',
  })
  partyId: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The subject of the token; null when it is not a valid identifier.',
  })
  subject: string | null

  @Field(() => String, {
    description:
      'The root field of the GraphQL operation; the HTTP method and path for requests ' +
      'rejected earlier; `*` when too many different requests were rejected to record each.',
  })
  operation: string

  @Field(() => ErrorCode, {
    description: 'The code of the problem with which the requests were rejected.',
  })
  code: ProblemCode

  @Field(() => ID, {
    nullable: true,
    description: 'The identifier of the requested record; null when the problem names none.',
  })
  resourceId: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'For a record that was not found, whether it exists but is hidden from the caller; ' +
      'null for other problems.',
  })
  isThere: boolean | null

  @Field(() => BigIntScalar, { description: 'The number of rejected requests within the hour.' })
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
    description: 'The `X-Request-Id` of the latest request; null when there is none.',
  })
  requestId: string | null
}

export const AuditRefusalConnection = connectionOf('AuditRefusal', () => AuditRefusal)

@InputType({
  description: 'The filter for rejected requests. All fields that are given must match.',
})
export class AuditRefusalFilter {
  @Field(() => String, { nullable: true, description: 'Only requests of this OAuth client.' })
  clientId?: string | null

  @Field(() => ID, { nullable: true, description: 'Only requests made for this party.' })
  partyId?: string | null

  @Field(() => ErrorCode, {
    nullable: true,
    description: 'Only requests rejected with this problem code.',
  })
  code?: ProblemCode | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Only requests for records that exist but are hidden from the caller (`true`) or do ' +
      'not exist (`false`).',
  })
  isThere?: boolean | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Only records whose latest request was rejected at or after this time.',
  })
  since?: Date | null
}

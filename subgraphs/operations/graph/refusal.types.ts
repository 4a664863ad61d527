import { Field, ID, InputType, ObjectType } from 'type-graphql'
import type { ProblemCode } from '../../_kernel/domain/problem.ts'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { BigIntScalar, DateTimeScalar } from '../../_kernel/scalars.ts'
import type { Refusal } from '../domain/refusal.ts'
import { ErrorCode } from './problem.types.ts'

@ObjectType({
  description: 'Attempts that were refused: those that are alike within an hour, as one.',
})
export class AuditRefusal implements Refusal {
  @Field(() => ID)
  refusalId: string

  @Field(() => String, { nullable: true, description: 'null when the token was not good.' })
  clientId: string | null

  @Field(() => ID, { nullable: true, description: 'The party the client acted for.' })
  partyId: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Who stood behind the client, where that is an id.',
  })
  subject: string | null

  @Field(() => String, {
    description:
      'The root field of the graph; method and path where it was refused before that; `*` for what ' +
      'were too many to be told apart.',
  })
  operation: string

  @Field(() => ErrorCode, { description: 'Why.' })
  code: ProblemCode

  @Field(() => ID, {
    nullable: true,
    description: 'The record that was asked for, where the refusal names one.',
  })
  resourceId: string | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'For a record that was not found: whether it is there, and hidden because it is not theirs.',
  })
  isThere: boolean | null

  @Field(() => BigIntScalar, { description: 'How often within the hour.' })
  count: bigint

  @Field(() => DateTimeScalar, { description: 'Real time.' })
  firstAt: Date

  @Field(() => DateTimeScalar)
  lastAt: Date

  @Field(() => String, { nullable: true, description: 'The last of the requests.' })
  requestId: string | null
}

export const AuditRefusalConnection = connectionOf('AuditRefusal', () => AuditRefusal)

@InputType({ description: 'Which refused attempts; all of what is given has to be so.' })
export class AuditRefusalFilter {
  @Field(() => String, { nullable: true })
  clientId?: string | null

  @Field(() => ID, { nullable: true })
  partyId?: string | null

  @Field(() => ErrorCode, { nullable: true })
  code?: ProblemCode | null

  @Field(() => Boolean, { nullable: true, description: '`true`: of records of others.' })
  isThere?: boolean | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'The last of them not before then.' })
  since?: Date | null
}

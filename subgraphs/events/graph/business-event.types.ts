import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { BigIntScalar, DateTimeScalar, JsonObjectScalar } from '../../_kernel/scalars.ts'

@ObjectType({ description: 'A fact of the business, told in the commit that made it true.' })
@Directive('@key(fields: "eventId")')
export class BusinessEvent {
  @Field(() => ID)
  eventId: string

  @Field(() => String, { description: '`<area>.<entity>.<fact>`.' })
  type: string

  @Field(() => String, { description: '`<entity>/<id>` of the record it is about.' })
  subjectId: string

  @Field(() => DateTimeScalar)
  time: Date

  @Field(() => BigIntScalar, {
    description: 'Its place in the log, dense from 1. Resume with `after` this.',
  })
  position: bigint

  @Field(() => Int, { description: 'Its place among the events of its subject, dense from 1.' })
  sequence: number

  @Field(() => JsonObjectScalar, { description: 'A snapshot of what was true then.' })
  data: Record<string, unknown> | null

  @Field(() => String, { description: 'The X-Request-Id of the request that caused it.' })
  correlationId: string

  @Field(() => ID, { nullable: true, description: 'The event that caused it, if one did.' })
  causationId: string | null

  @Field(() => String, { description: 'The party or the OAuth client that acted.' })
  actor: string
}

export const BusinessEventConnection = connectionOf('BusinessEvent', () => BusinessEvent)

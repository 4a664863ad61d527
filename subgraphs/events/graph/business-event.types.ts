import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { BigIntScalar, DateTimeScalar, JsonObjectScalar } from '../../../kernel/graph/scalars.ts'

@ObjectType({
  description:
    'A business event: a change of a record, recorded in the event log in the same ' +
    'transaction as the change.',
})
@Directive('@key(fields: "eventId")')
export class BusinessEvent {
  @Field(() => ID, { description: 'The ID of the event.' })
  eventId: string

  @Field(() => String, {
    description:
      'The type of the event: `<area>.<entity>.<fact>`, such as `parties.party.created`.',
  })
  type: string

  @Field(() => String, { description: 'The record that the event is about, as `<entity>/<id>`.' })
  subjectId: string

  @Field(() => DateTimeScalar, { description: 'When the event occurred, in UTC.' })
  time: Date

  @Field(() => BigIntScalar, {
    description:
      'The position of the event in the event log. Positions start at 1 and have no gaps.',
  })
  position: bigint

  @Field(() => Int, {
    description:
      'The sequence number of the event among the events of its subject, starting at 1 ' +
      'without gaps.',
  })
  sequence: number

  @Field(() => JsonObjectScalar, {
    description: 'A snapshot of the record at the time of the event. Its members depend on `type`.',
  })
  data: Record<string, unknown> | null

  @Field(() => String, { description: 'The `X-Request-Id` of the request that caused the event.' })
  correlationId: string

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the event that caused this event; null if a request caused it.',
  })
  causationId: string | null

  @Field(() => String, {
    description: 'The party or the OAuth client that caused the event, or the bank itself.',
  })
  actor: string
}

export const BusinessEventConnection = connectionOf('BusinessEvent', () => BusinessEvent)

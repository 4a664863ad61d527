import { Field, ID, ObjectType } from 'type-graphql'
import { DateTimeScalar } from '../../_kernel/scalars.ts'

@ObjectType({ description: 'What an idempotency key did, as long as it is kept: 30 days.' })
export class IdempotencyRecord {
  @Field(() => String)
  key: string

  @Field(() => String, { description: 'The mutation of the graph that used the key.' })
  operation: string

  @Field(() => ID, { nullable: true, description: 'The record it was about, where there is one.' })
  resourceId: string | null

  @Field(() => DateTimeScalar, {
    description: 'When it was done, in real time, also where the clock was moved.',
  })
  createdAt: Date
}

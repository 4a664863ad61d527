import { Field, ID, ObjectType } from 'type-graphql'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'

@ObjectType({
  description:
    'The record of a request that was made with an idempotency key. It is kept for 30 days, or ' +
    'permanently if the request moved money.',
})
export class IdempotencyRecord {
  @Field(() => String, { description: 'The idempotency key.' })
  key: string

  @Field(() => String, { description: 'The name of the mutation that used the key.' })
  operation: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the record that the mutation created or changed; null if there is none.',
  })
  resourceId: string | null

  @Field(() => DateTimeScalar, {
    description:
      'When the request was processed, in UTC. This is real time, even if the clock of the ' +
      'sandbox was moved.',
  })
  createdAt: Date
}

import { Field, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { DateTimeScalar, LocalDateScalar } from '../../_kernel/scalars.ts'

@ObjectType({ description: 'The end of a business day, for all facilities.' })
export class EndOfDayRun {
  @Field(() => LocalDateScalar)
  businessDate: string

  @Field(() => Int, { description: 'How many facilities there were when it began.' })
  total: number

  @Field(() => Int)
  done: number

  @Field(() => DateTimeScalar)
  startedAt: Date

  @Field(() => DateTimeScalar, { nullable: true })
  completedAt: Date | null
}

export const EndOfDayRunConnection = connectionOf('EndOfDayRun', () => EndOfDayRun)

@ObjectType({ description: 'Something in which the facilities and the ledger differ.' })
export class LendingFinding {
  @Field(() => String)
  invariant: string

  @Field(() => String, { description: 'The facility it was found on.' })
  subject: string

  @Field(() => String)
  detail: string
}

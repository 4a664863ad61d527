import { Field, ID, Int, ObjectType } from 'type-graphql'
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

@ObjectType({ description: 'A facility whose end of day failed. It is tried again.' })
export class EndOfDayFailure {
  @Field(() => ID)
  facilityId: string

  @Field(() => LocalDateScalar, { description: 'The first day that is not closed.' })
  businessDate: string

  @Field(() => String, { description: 'A problem code.' })
  code: string

  @Field(() => String)
  detail: string

  @Field(() => DateTimeScalar, { description: 'When it failed last, in bank time.' })
  failedAt: Date
}

@ObjectType({ description: 'How far the end of day has come, over all facilities.' })
export class EndOfDayPosition {
  @Field(() => LocalDateScalar, {
    description:
      'The last day that is closed for every active facility; the last business day when there is none.',
  })
  closedThrough: string

  @Field(() => Int, {
    description: 'The number of facilities that are not closed through the last business day.',
  })
  behind: number

  @Field(() => [EndOfDayFailure], {
    description: 'Facilities that are behind because their end of day failed, at most 100.',
  })
  failures: EndOfDayFailure[]
}

@ObjectType({ description: 'Something in which the facilities and the ledger differ.' })
export class LendingFinding {
  @Field(() => String)
  invariant: string

  @Field(() => String, { description: 'The facility it was found on.' })
  subject: string

  @Field(() => String)
  detail: string
}

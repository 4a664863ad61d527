import { Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../../kernel/graph/connection.ts'
import { DateTimeScalar, LocalDateScalar } from '../../../../kernel/graph/scalars.ts'

@ObjectType({ description: 'An end-of-day run for one business date, over all facilities.' })
export class EndOfDayRun {
  @Field(() => LocalDateScalar, { description: 'The business date that the run closes.' })
  businessDate: string

  @Field(() => Int, {
    description:
      'The number of facilities that were not closed for the business date when the run started.',
  })
  total: number

  @Field(() => Int, {
    description: 'The number of facilities that have been closed for the business date.',
  })
  done: number

  @Field(() => DateTimeScalar, { description: 'When the run started, in UTC.' })
  startedAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the run was completed, in UTC; null before that.',
  })
  completedAt: Date | null
}

export const EndOfDayRunConnection = connectionOf('EndOfDayRun', () => EndOfDayRun)

@ObjectType({
  description: 'The latest failure of the end of day of a facility. The end of day is retried.',
})
export class EndOfDayFailure {
  @Field(() => ID, { description: 'The ID of the facility.' })
  facilityId: string

  @Field(() => LocalDateScalar, {
    description: 'The first business date that is not closed for the facility.',
  })
  businessDate: string

  @Field(() => String, { description: 'The problem code of the failure.' })
  code: string

  @Field(() => String, { description: 'A description of the error.' })
  detail: string

  @Field(() => DateTimeScalar, {
    description: 'When the end of day of the facility last failed, in UTC by the bank clock.',
  })
  failedAt: Date
}

@ObjectType({ description: 'The progress of the end-of-day run over all facilities.' })
export class EndOfDayPosition {
  @Field(() => LocalDateScalar, {
    description:
      'The last business date that is closed for every facility in the state `ACTIVE` or ' +
      '`IN_ARREARS`. If there is no such facility, the last business date that has ended.',
  })
  closedThrough: string

  @Field(() => Int, {
    description:
      'The number of facilities in the state `ACTIVE` or `IN_ARREARS` that are not closed ' +
      'through the last business date that has ended.',
  })
  behind: number

  @Field(() => [EndOfDayFailure], {
    description: 'The failures of facilities that are still behind, at most 100.',
  })
  failures: EndOfDayFailure[]
}

@ObjectType({
  description:
    'A violated invariant of a facility, such as a difference between the facility and the ledger.',
})
export class LendingFinding {
  @Field(() => String, { description: 'The name of the violated invariant.' })
  invariant: string

  @Field(() => String, { description: 'The ID of the facility concerned.' })
  subject: string

  @Field(() => String, {
    description: 'A description of the violation, with the amounts that differ.',
  })
  detail: string
}

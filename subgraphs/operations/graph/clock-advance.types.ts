import { Field, ID, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { clockAdvanceStatuses, type ClockAdvanceStatus } from '../domain/clock-advance.ts'

const ClockAdvanceStatusEnum = wireEnum<ClockAdvanceStatus>(
  'ClockAdvanceStatus',
  clockAdvanceStatuses,
  'The status of a clock advance: whether the work that became due has been done.',
  {
    running: 'Work that became due is still in progress.',
    completed: 'All work that became due has been done.',
    failed:
      'All work that became due has been done, except for the work in `failures`. The failed ' +
      'work is retried, and the clock advance completes when it succeeds.',
  },
)

@ObjectType({
  description: 'A piece of work that became due by the new time of the clock, and failed.',
})
export class ClockAdvanceFailure {
  @Field(() => String, { description: 'The name of the job, as returned by the query `jobs`.' })
  job: string

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the facility whose end of day failed; null for other work.',
  })
  facilityId: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The first business date that is not closed for the facility; null for other work.',
  })
  businessDate: string | null

  @Field(() => String, { description: 'The problem code of the failure.' })
  code: string

  @Field(() => String, { description: 'A description of the error.' })
  detail: string
}

@ObjectType({
  description:
    'A move of the sandbox clock to a later time. Its status shows whether all work that became ' +
    'due has been done.',
})
export class ClockAdvance {
  @Field(() => ID, { description: 'The ID of the clock advance.' })
  clockAdvanceId: string

  @Field(() => DateTimeScalar, { description: 'The bank time before the clock was moved.' })
  from: Date

  @Field(() => DateTimeScalar, { description: 'The bank time to which the clock was moved.' })
  to: Date

  @Field(() => ClockAdvanceStatusEnum, { description: 'The status of the clock advance.' })
  status: ClockAdvanceStatus

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The last business date that is closed for every facility; null until it is known.',
  })
  businessDate: string | null

  @Field(() => LocalDateScalar, {
    description: 'The business date that the end of day has to reach: the last one before `to`.',
  })
  targetBusinessDate: string

  @Field(() => Int, {
    description: 'The number of facilities that are not closed through `targetBusinessDate`.',
  })
  facilitiesBehind: number

  @Field(() => [String], {
    description: 'The names of the jobs that still have work that became due.',
  })
  waitingFor: string[]

  @Field(() => [ClockAdvanceFailure], { description: 'The work that failed and will be retried.' })
  failures: ClockAdvanceFailure[]

  @Field(() => String, {
    description: 'The subject of the access token with which the clock was moved.',
  })
  requestedBy: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When all work that became due had been done, in bank time; null before that.',
  })
  completedAt: Date | null
}

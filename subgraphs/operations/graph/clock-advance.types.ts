import { Field, ID, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import { clockAdvanceStatuses, type ClockAdvanceStatus } from '../domain/clock-advance.ts'

const ClockAdvanceStatusEnum = wireEnum<ClockAdvanceStatus>(
  'ClockAdvanceStatus',
  clockAdvanceStatuses,
  'RUNNING: work that fell due is still being done. COMPLETED: all of it is done. FAILED: all of it is done ' +
    'but what `failures` lists; that is tried again, and the advance completes when it succeeds.',
)

@ObjectType({ description: 'Work that fell due until the new time of the clock and failed.' })
export class ClockAdvanceFailure {
  @Field(() => String, { description: 'The job, as `jobs` names it.' })
  job: string

  @Field(() => ID, { nullable: true, description: 'The facility whose end of day failed.' })
  facilityId: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The first business day of the facility that is not closed.',
  })
  businessDate: string | null

  @Field(() => String, { description: 'A problem code.' })
  code: string

  @Field(() => String, { description: 'Why it failed.' })
  detail: string
}

@ObjectType({
  description:
    'A move of the sandbox clock as a job that can be followed until the bank has done everything that fell due.',
})
export class ClockAdvance {
  @Field(() => ID)
  clockAdvanceId: string

  @Field(() => DateTimeScalar, { description: 'The bank time before the move.' })
  from: Date

  @Field(() => DateTimeScalar, { description: 'The bank time that the clock was moved to.' })
  to: Date

  @Field(() => ClockAdvanceStatusEnum)
  status: ClockAdvanceStatus

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The business date that the end of day has reached: the last one closed for every facility. ' +
      'null until progress is known.',
  })
  businessDate: string | null

  @Field(() => LocalDateScalar, {
    description: 'The business date that the end of day has to reach: the last one before `to`.',
  })
  targetBusinessDate: string

  @Field(() => Int, { description: 'The number of facilities that are not closed yet.' })
  facilitiesBehind: number

  @Field(() => [String], { description: 'Jobs that have not done everything that fell due.' })
  waitingFor: string[]

  @Field(() => [ClockAdvanceFailure])
  failures: ClockAdvanceFailure[]

  @Field(() => String, { description: 'Who moved the clock.' })
  requestedBy: string

  @Field(() => DateTimeScalar, { nullable: true, description: 'In bank time.' })
  completedAt: Date | null
}

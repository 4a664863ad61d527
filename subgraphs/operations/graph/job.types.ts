import { Field, Int, ObjectType } from 'type-graphql'
import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LocalDateScalar } from '../../_kernel/scalars.ts'
import { jobStatuses, type JobStatus } from '../domain/job.ts'

const JobStatusEnum = wireEnum<JobStatus>(
  'JobStatus',
  jobStatuses,
  'RUNNING: a process is at it. IDLE: its last run went well. FAILED: it did not, and is tried again. ' +
    'AWAY: no process that does it said anything for a minute.',
)

@ObjectType({ description: 'How far a job is.' })
export class JobProgress {
  @Field(() => LocalDateScalar, { description: 'The day of business it works on.' })
  businessDate: LocalDate

  @Field(() => Int)
  done: number

  @Field(() => Int, { nullable: true, description: 'null where that is known at the end only.' })
  total: number | null
}

@ObjectType({ description: 'Why a job failed last.' })
export class JobError {
  @Field(() => DateTimeScalar)
  at: Date

  @Field(() => String, { description: 'A code of `problems`.' })
  code: string

  @Field(() => String)
  detail: string
}

@ObjectType({
  description: 'Recurring work of the bank. Times are real time, to about 20 seconds.',
})
export class Job {
  @Field(() => String, { description: '`<area>.<what it does>`.' })
  name: string

  @Field(() => String, { description: 'What it is for, in a sentence.' })
  purpose: string

  @Field(() => JobStatusEnum)
  status: JobStatus

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The day of business when it last looked.',
  })
  businessDate: LocalDate | null

  @Field(() => Int, { description: 'How long it rests, in milliseconds, when nothing wakes it.' })
  everyMs: number

  @Field(() => DateTimeScalar, { nullable: true, description: 'Since when it is at it.' })
  runningSince: Date | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it last came to an end.' })
  lastRunAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it last found something to do.',
  })
  lastWorkedAt: Date | null

  @Field(() => Int, { nullable: true, description: 'How much it did then.' })
  lastDone: number | null

  @Field(() => JobProgress, {
    nullable: true,
    description: 'For jobs that know: how far the run in hand is, or the last.',
  })
  progress: JobProgress | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it looks again at the latest; events may wake it before.',
  })
  nextDueAt: Date | null

  @Field(() => JobError, { nullable: true, description: 'The last one, also when it goes again.' })
  lastError: JobError | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When somebody asked for it last.' })
  askedAt: Date | null

  @Field(() => String, { nullable: true, description: 'The client that asked.' })
  askedBy: string | null
}

import { Field, Int, ObjectType } from 'type-graphql'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { jobStatuses, type JobStatus } from '../domain/job.ts'

const JobStatusEnum = wireEnum<JobStatus>(
  'JobStatus',
  jobStatuses,
  'The state of a recurring job.',
  {
    running: 'A process is running the job.',
    idle: 'The latest run succeeded.',
    failed: 'The latest run failed. The job will be retried.',
    stale: 'No running process has reported the job for a minute.',
  },
)

@ObjectType({ description: 'The progress of a job run.' })
export class JobProgress {
  @Field(() => LocalDateScalar, { description: 'The business date that the run processes.' })
  businessDate: LocalDate

  @Field(() => Int, { description: 'The number of records processed.' })
  done: number

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of records to process; null if it is known only at the end of the run.',
  })
  total: number | null
}

@ObjectType({ description: 'The error with which a job run failed.' })
export class JobError {
  @Field(() => DateTimeScalar, { description: 'When the run failed, in UTC.' })
  at: Date

  @Field(() => String, { description: 'The problem code of the error, as listed by `problems`.' })
  code: string

  @Field(() => String, { description: 'A sentence that explains the error.' })
  detail: string
}

@ObjectType({
  description:
    'A recurring background job of the bank. All times are real time, accurate to about 20 ' +
    'seconds.',
})
export class Job {
  @Field(() => String, { description: 'The name of the job, such as `lending.end-of-day`.' })
  name: string

  @Field(() => String, { description: 'A sentence that explains the purpose of the job.' })
  purpose: string

  @Field(() => JobStatusEnum, { description: 'The current state of the job.' })
  status: JobStatus

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The business date of the latest run; null if the job has never run.',
  })
  businessDate: LocalDate | null

  @Field(() => Int, {
    description: 'The interval between runs if no event triggers an earlier run, in milliseconds.',
  })
  everyMs: number

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the current run started, in UTC; null if the job is not running.',
  })
  runningSince: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the latest run ended, in UTC; null if none has ended.',
  })
  lastRunAt: Date | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the latest run that processed any records ended, in UTC; null if there was none.',
  })
  lastWorkedAt: Date | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of records processed by the latest run that processed any; null if there was ' +
      'none.',
  })
  lastDone: number | null

  @Field(() => JobProgress, {
    nullable: true,
    description:
      'The progress of the current or latest run; null for jobs that do not report progress.',
  })
  progress: JobProgress | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'The latest time at which the job will run again, in UTC; null while the job is running, ' +
      'and if no process runs it.',
  })
  nextDueAt: Date | null

  @Field(() => JobError, {
    nullable: true,
    description:
      'The error of the latest failed run, which is kept after later successful runs; null if no ' +
      'run has failed.',
  })
  lastError: JobError | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When a run was last requested with `runJob`, in UTC; null if none was requested.',
  })
  requestedAt: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'The ID of the client that last requested a run; null if none was requested.',
  })
  requestedBy: string | null
}

import { JobStatus } from './enumerations.ts'
import {
  date,
  instant,
  integer,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'

export const JobProgress = shape('JobProgress', 'The progress of a job run.', {
  businessDate: date('The business date that the run processes.').as<LocalDate>(),
  done: integer('The number of records processed.'),
  total: integer(
    'The number of records to process; null if it is known only at the end of the run.',
  ).orNull(),
})
export type JobProgress = TypeOf<typeof JobProgress>

export const JobError = shape('JobError', 'The error with which a job run failed.', {
  at: instant('When the run failed, in UTC.'),
  code: string('The problem code of the error, as listed by `problems`.'),
  detail: string('A sentence that explains the error.'),
})
export type JobError = TypeOf<typeof JobError>

export const Job = shape(
  'Job',
  'A recurring background job of the bank. All times are real time, accurate to about 20 ' +
    'seconds.',
  {
    name: string('The name of the job, such as `lending.end-of-day`.'),
    purpose: string('A sentence that explains the purpose of the job.'),
    status: oneOf(JobStatus, 'The current state of the job.'),
    businessDate: date('The business date of the latest run; null if the job has never run.')
      .as<LocalDate>()
      .orNull(),
    everyMs: integer(
      'The interval between runs if no event triggers an earlier run, in milliseconds.',
    ),
    runningSince: instant(
      'When the current run started, in UTC; null if the job is not running.',
    ).orNull(),
    lastRunAt: instant('When the latest run ended, in UTC; null if none has ended.').orNull(),
    lastWorkedAt: instant(
      'When the latest run that processed any records ended, in UTC; null if there was none.',
    ).orNull(),
    lastDone: integer(
      'The number of records processed by the latest run that processed any; null if there was ' +
        'none.',
    ).orNull(),
    progress: object(
      JobProgress,
      'The progress of the current or latest run; null for jobs that do not report progress.',
    ).orNull(),
    nextDueAt: instant(
      'The latest time at which the job will run again, in UTC; null while the job is running, ' +
        'and if no process runs it.',
    ).orNull(),
    lastError: object(
      JobError,
      'The error of the latest failed run, which is kept after later successful runs; null if no ' +
        'run has failed.',
    ).orNull(),
    requestedAt: instant(
      'When a run was last requested with `runJob`, in UTC; null if none was requested.',
    ).orNull(),
    requestedBy: string(
      'Who last requested a run: a person of the bank or an OAuth client; null if none was ' +
        'requested.',
    ).orNull(),
  },
)
export type Job = TypeOf<typeof Job>

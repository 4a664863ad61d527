import { NightlyPhase, NightlyStatus } from './enumerations.ts'
import { Job } from './job.ts'
import {
  date,
  instant,
  list,
  object,
  oneOf,
  shape,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'

export const NightlyStep = shape(
  'NightlyStep',
  'A job as a step of the nightly run. Steps do not wait for each other, except where the purpose ' +
    'of the job says so.',
  {
    phase: oneOf(NightlyPhase, 'The phase of the nightly run to which the step belongs.'),
    status: oneOf(NightlyStatus, 'The state of the step for the business date of the run.'),
    estimatedEndAt: instant(
      'When the step will have processed all records if it keeps its current speed, in UTC and in ' +
        'real time; null if the step is not running, or if the number of records is not known.',
    ).orNull(),
    job: object(Job, 'The job, with its progress and its latest error.'),
  },
)
export type NightlyStep = TypeOf<typeof NightlyStep>

export const NightlyRun = shape(
  'NightlyRun',
  'The work that the bank does by itself after a business date has ended, as one plan.',
  {
    businessDate: date('The business date that has ended.').as<LocalDate>(),
    status: oneOf(
      NightlyStatus,
      'The state of the run: the most urgent state of a step. Failed comes first, then stale, ' +
        'running, pending and completed.',
    ),
    estimatedEndAt: instant(
      'When the last running step will end, in UTC and in real time; null if no step is running, ' +
        'or if a running step has no estimate.',
    ).orNull(),
    steps: list(object(NightlyStep), 'The steps, in order of their phase and name.'),
  },
)
export type NightlyRun = TypeOf<typeof NightlyRun>

import { ClockAdvanceStatus } from './enumerations.ts'
import {
  date,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const ClockAdvanceFailure = shape(
  'ClockAdvanceFailure',
  'A piece of work that became due by the new time of the clock, and failed.',
  {
    job: string('The name of the job, as returned by the query `jobs`.'),
    facilityId: id('The ID of the facility whose end of day failed; null for other work.').orNull(),
    businessDate: date(
      'The first business date that is not closed for the facility; null for other work.',
    ).orNull(),
    code: string('The problem code of the failure.'),
    detail: string('A description of the error.'),
  },
)
export type ClockAdvanceFailure = TypeOf<typeof ClockAdvanceFailure>

export const ClockAdvance = shape(
  'ClockAdvance',
  'A move of the sandbox clock to a later time. Its status shows whether all work that became ' +
    'due has been done.',
  {
    clockAdvanceId: id('The ID of the clock advance.'),
    from: instant('The bank time before the clock was moved.'),
    to: instant('The bank time to which the clock was moved.'),
    status: oneOf(ClockAdvanceStatus, 'The status of the clock advance.'),
    businessDate: date(
      'The last business date that is closed for every facility; null until it is known.',
    ).orNull(),
    targetBusinessDate: date(
      'The business date that the end of day has to reach: the last one before `to`.',
    ),
    facilitiesBehind: integer(
      'The number of facilities that are not closed through `targetBusinessDate`.',
    ),
    waitingFor: list(string(), 'The names of the jobs that still have work that became due.'),
    failures: list(object(ClockAdvanceFailure), 'The work that failed and will be retried.'),
    requestedBy: string('The subject of the access token with which the clock was moved.'),
    completedAt: instant(
      'When all work that became due had been done, in bank time; null before that.',
    ).orNull(),
  },
)
export type ClockAdvance = TypeOf<typeof ClockAdvance>

import {
  stored,
  type TypeOf,
  date,
  id,
  instant,
  integer,
  list,
  object,
  shape,
  string,
} from '../../../../kernel/domain/model.ts'

export const EndOfDayRun = shape(
  'EndOfDayRun',
  'An end-of-day run for one business date, over all facilities.',
  {
    businessDate: date('The business date that the run closes.'),
    total: integer(
      'The number of facilities that were not closed for the business date when the run started.',
    ),
    done: integer('The number of facilities that have been closed for the business date.'),
    startedAt: instant('When the run started, in UTC.'),
    completedAt: instant('When the run was completed, in UTC; null before that.').orNull(),
    version: stored<number>(),
  },
)
export type EndOfDayRun = TypeOf<typeof EndOfDayRun>

export const EndOfDayFailure = shape(
  'EndOfDayFailure',
  'The latest failure of the end of day of a facility. The end of day is retried.',
  {
    facilityId: id('The ID of the facility.'),
    businessDate: date('The first business date that is not closed for the facility.'),
    code: string('The problem code of the failure.'),
    detail: string('A description of the error.'),
    failedAt: instant('When the end of day of the facility last failed, in UTC by the bank clock.'),
  },
)
export type EndOfDayFailure = TypeOf<typeof EndOfDayFailure>

export const EndOfDayPosition = shape(
  'EndOfDayPosition',
  'The progress of the end-of-day run over all facilities.',
  {
    closedThrough: date(
      'The last business date that is closed for every facility in the state `ACTIVE` or ' +
        '`IN_ARREARS`. If there is no such facility, the last business date that has ended.',
    ),
    behind: integer(
      'The number of facilities in the state `ACTIVE` or `IN_ARREARS` that are not closed ' +
        'through the last business date that has ended.',
    ),
    failures: list(
      object(EndOfDayFailure),
      'The failures of facilities that are still behind, at most 100.',
    ),
  },
)
export type EndOfDayPosition = TypeOf<typeof EndOfDayPosition>

export const LendingFinding = shape(
  'LendingFinding',
  'A violated invariant of a facility, such as a difference between the facility and the ledger.',
  {
    invariant: string('The name of the violated invariant.'),
    subject: string('The ID of the facility concerned.'),
    detail: string('A description of the violation, with the amounts that differ.'),
  },
)
export type LendingFinding = TypeOf<typeof LendingFinding>

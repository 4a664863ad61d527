import {
  boolean,
  date,
  entity,
  id,
  instant,
  integer,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../../kernel/domain/model.ts'
import { stateMachine } from '../../../../kernel/domain/state-machine.ts'
import { RateResetLetterState } from './enumerations.ts'

export const RateResetLetter = entity(
  'RateResetLetter',
  'rateResetLetterId',
  'A letter that informs a borrower or a co-borrower of a reset of the rate: the new rate and the ' +
    'payments after it. There is one for each reset that changed the rate, and for each of them. Of ' +
    'late resets that take effect on the same day, only the last one has letters.',
  {
    rateResetLetterId: id('The ID of the letter, such as `rrl_…`.'),
    facilityId: stored<string>(),
    resetOn: date('The reset date.'),
    partyId: stored<string>(),
    state: oneOf(RateResetLetterState, 'Whether the letter was sent.'),
    notificationId: stored<string | null>(),
    documentId: stored<string | null>(),
    failureCode: string(
      'The problem code with which the notification or the document was rejected; null otherwise.',
    ).orNull(),
    acceptedAt: instant('When the notification was created, in UTC; null until then.').orNull(),
    createdAt: instant('When the rate was reset, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type RateResetLetter = TypeOf<typeof RateResetLetter>

export const RateResetLetterRetry = shape(
  'RateResetLetterRetry',
  'The result of a request that has many letters tried again.',
  {
    retried: integer('The number of letters that are tried again, at most 100.'),
    hasMore: boolean('Whether more letters match. Repeat the request to have them tried again.'),
  },
)
export type RateResetLetterRetry = TypeOf<typeof RateResetLetterRetry>

/** The workers make the other transitions. */
export const rateResetLetterStates = stateMachine(
  RateResetLetter,
  'state',
  {
    retryRateResetLetter: {
      description:
        'Has a letter about a reset sent again if its notification was rejected or not delivered. If ' +
        'it was sent and only its document was rejected, the document is stored again and nothing is ' +
        'sent. Not available to delegated users.',
      scope: 'lending:write',
      from: ['failed', 'undelivered', 'not-stored'],
      to: 'due',
      event: ['lending.rate-reset-letter.retried', 'A letter that had failed is tried again.'],
    },
  },
  {
    due: ['accepted', 'suppressed', 'failed'],
    accepted: ['sent', 'suppressed', 'undelivered', 'not-stored'],
    'not-stored': ['accepted'],
  },
)

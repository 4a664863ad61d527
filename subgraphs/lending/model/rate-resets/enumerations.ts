import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const RateResetLetterState = enumeration(
  'RateResetLetterState',
  'Whether a letter about a reset was sent.',
  {
    due: 'The letter is sent at once, or as soon as an interruption is over.',
    accepted: 'The notification of the letter was created and is not delivered yet.',
    sent: 'The letter was sent and stored as a document. This state is final.',
    suppressed:
      'The letter was not sent, for example because the party is deceased. The notification contains ' +
      'the reason. This state is final.',
    undelivered:
      'The delivery failed. The notification contains the reason. The letter can be sent again with ' +
      '`retryRateResetLetter`.',
    failed:
      'The notification was rejected; `failureCode` contains the reason. The letter can be sent again ' +
      'with `retryRateResetLetter`.',
    'not-stored':
      'The letter was sent, and its document was rejected; `failureCode` contains the reason. It can ' +
      'be stored again with `retryRateResetLetter`.',
  },
)
export type RateResetLetterState = TypeOf<typeof RateResetLetterState>

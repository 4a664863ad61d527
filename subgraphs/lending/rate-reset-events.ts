import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { date, id, oneOf, orNull, record, text } from '../../kernel/events/event-data.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { RateResetLetterState } from './model/rate-resets/enumerations.ts'
import { RateResetLetter, rateResetLetterStates } from './model/rate-resets/rate-reset-letter.ts'

declareSubject('rate-reset-letter', RateResetLetter)

const rateResetLetterEvents = declareEvents(
  {
    'lending.rate-reset-letter.due': 'A rate was reset, and a letter to a borrower is due.',
    'lending.rate-reset-letter.accepted': 'The notification of a letter was created.',
    'lending.rate-reset-letter.sent': 'A letter was sent and stored as a document.',
    'lending.rate-reset-letter.suppressed':
      'A letter was not sent, because the party must not or cannot be notified.',
    'lending.rate-reset-letter.undelivered': 'The delivery of a letter failed.',
    'lending.rate-reset-letter.failed': 'The notification of a letter was rejected.',
    'lending.rate-reset-letter.not-stored':
      'A letter was sent, and the document with its text was rejected.',
    ...eventsOf(rateResetLetterStates),
  },
  record({
    rateResetLetterId: id,
    facilityId: id,
    resetOn: date,
    partyId: id,
    state: oneOf(RateResetLetterState.values),
    notificationId: orNull(id),
    documentId: orNull(id),
    failureCode: orNull(text),
  }),
)

export type RateResetLetterEvent = keyof typeof rateResetLetterEvents

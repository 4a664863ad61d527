import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { amountMinor, currency, date, id, oneOf, record } from '../../kernel/events/event-data.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { PromiseToPayStatus } from './model/promises/enumerations.ts'
import { PromiseToPay, promiseToPayStates } from './model/promises/promise-to-pay.ts'

declareSubject('promise-to-pay', PromiseToPay)

const promiseToPayEvents = declareEvents(
  {
    'lending.promise-to-pay.made': 'A borrower in arrears promised to pay an amount by a date.',
    'lending.promise-to-pay.kept': 'The promised amount was paid in time.',
    'lending.promise-to-pay.broken':
      'The promised amount was not paid in time, or a payment toward it bounced.',
    ...eventsOf(promiseToPayStates),
  },
  record({
    promiseToPayId: id,
    facilityId: id,
    status: oneOf(PromiseToPayStatus.values),
    amountMinor,
    currency,
    madeOn: date,
    payBy: date,
  }),
)

export type PromiseToPayEvent = keyof typeof promiseToPayEvents

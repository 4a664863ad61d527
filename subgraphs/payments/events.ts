import { PaymentState, StandingOrderState, Frequency } from './model/enumerations.ts'
import { ExchangeRate } from './model/exchange-rate.ts'
import { Payment } from './model/payment.ts'
import { StandingOrder, standingOrderStates } from './model/standing-order.ts'
import { TrustedPayee } from './model/trusted-payee.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import {
  declareRecordEvents,
  declareSubject,
  eventShapeOf,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import {
  amountMinor,
  currency,
  date,
  id,
  instant,
  oneOf,
  orNull,
  record,
  text,
  integer,
} from '../../kernel/events/event-data.ts'
import { paymentDirections } from './domain/payment.ts'
import { batchStates } from './domain/rail-batch.ts'
import { railNames } from './rails/registry.ts'

declareSubject('payment', Payment)
declareSubject('standing-order', StandingOrder)

/**
 * The data of payment events contains no names, account numbers or remittance information.
 * Consumers with the scope `postings:read` can query these fields of the payment.
 */
const paymentData = record({
  paymentId: id,
  direction: oneOf(paymentDirections),
  rail: oneOf(railNames),
  state: oneOf(PaymentState.values),
  debtorArrangementId: orNull(id),
  creditorArrangementId: orNull(id),
  amountMinor,
  currency,
  executionDate: date,
  standingOrderId: orNull(id),
  batchId: orNull(id),
  reasonCode: orNull(text),
  creditedMinor: orNull(amountMinor),
  creditedCurrency: orNull(currency),
})

export const paymentEvents = declareEvents(
  {
    'payments.payment.created':
      'A payment was created. The state shows whether the payment was already executed.',
    'payments.payment.accepted':
      'The amount of a payment was reserved. The payment waits for the cut-off of its rail.',
    'payments.payment.submitted': 'A payment was debited from the account and sent in a batch.',
    'payments.payment.acknowledged': 'The other bank acknowledged a payment.',
    'payments.payment.settled':
      'A payment was completed. A payment to another bank can still be returned.',
    'payments.payment.returned': 'The other bank returned a payment.',
    'payments.payment.rejected': 'A payment could not be executed on its date.',
    'payments.payment.cancelled': 'A payment was cancelled before it was sent.',
  },
  paymentData,
)

export const signatureEvents = declareEvents(
  {
    'payments.payment.signature-requested':
      'A payment was created that waits for signatures. The customer, the joint holders, and the ' +
      'signatories and the initiator that may still pay receive the event.',
    'payments.payment.signed':
      'A signatory signed a payment. The state shows whether that was the last signature needed.',
    'payments.payment.declined': 'A signatory declined to sign a payment, which is rejected.',
    'payments.payment.signatures-expired':
      'A payment did not get its signatures in time and is rejected.',
  },
  record({
    paymentId: id,
    state: oneOf(PaymentState.values),
    debtorArrangementId: id,
    amountMinor,
    currency,
    requiredSignatures: integer,
    /** The number of signatories who have signed. */
    signatures: integer,
    /** The signatory who signed or declined; null for the other events. */
    signatoryPartyId: orNull(id),
    initiatorPartyId: id,
    expiresAt: instant,
  }),
)

export const batchEvents = declareEvents(
  {
    'payments.rail-batch.sent': 'The payments accepted before a cut-off were sent as a batch.',
    'payments.rail-batch.acknowledged': 'The clearing system acknowledged a batch.',
    'payments.rail-batch.settled': 'A batch was settled from the nostro account.',
  },
  record({
    batchId: id,
    rail: oneOf(railNames),
    state: oneOf(batchStates),
    /** The number of payments in the batch. */
    payments: integer,
    totalMinor: amountMinor,
    currency,
    cutOffAt: instant,
    settlesAt: instant,
  }),
)

export const standingOrderEvents = declareEvents(
  {
    'payments.standing-order.created': 'A standing order was created.',
    ...eventsOf(standingOrderStates),
    'payments.standing-order.executed': 'A standing order made a payment.',
    'payments.standing-order.postponed':
      'A payment of a standing order failed because of insufficient funds. It is retried the ' +
      'next day.',
    'payments.standing-order.missed':
      'A payment of a standing order could not be made and was skipped.',
    'payments.standing-order.completed': 'A standing order has no further payment dates.',
  },
  record({
    standingOrderId: id,
    state: oneOf(StandingOrderState.values),
    debtorArrangementId: id,
    rail: oneOf(railNames),
    amountMinor,
    currency,
    frequency: oneOf(Frequency.values),
    /** The number of payments made so far. */
    executions: integer,
    /** The next payment date; null if there is none. */
    nextOn: orNull(date),
    /** The day of the next attempt, later than `nextOn` during retries; null if there is none. */
    attemptOn: orNull(date),
    reasonCode: orNull(text),
  }),
)

export const trustedPayeeEvents = declareRecordEvents('trusted-payee', TrustedPayee, {
  'payments.trusted-payee.added': 'A customer added a trusted payee.',
  'payments.trusted-payee.removed': 'A customer removed a trusted payee.',
})

export type TrustedPayeeEvent = EventTypeOf<typeof trustedPayeeEvents>
export type PaymentEvent = keyof typeof paymentEvents
export type SignatureEvent = keyof typeof signatureEvents
export type BatchEvent = keyof typeof batchEvents
export type StandingOrderEvent = keyof typeof standingOrderEvents

declareEvents(
  { 'payments.exchange-rate.loaded': 'An exchange rate was loaded.' },
  eventShapeOf(ExchangeRate),
)

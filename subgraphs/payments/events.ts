import { declareEvents } from '../_kernel/events.ts'
import {
  amountMinor,
  currency,
  day,
  decimal,
  id,
  instant,
  oneOf,
  orNull,
  record,
  text,
  whole,
} from '../_kernel/event-data.ts'
import { paymentDirections, paymentStates, railNames } from './domain/payment.ts'
import { batchStates } from './domain/sct.ts'
import { frequencies, standingOrderStates } from './domain/standing-order.ts'

/** Names, account numbers and messages are not told; who may know them asks for the payment. */
const paymentData = record({
  paymentId: id,
  direction: oneOf(paymentDirections),
  rail: oneOf(railNames),
  state: oneOf(paymentStates),
  debtorArrangementId: orNull(id),
  creditorArrangementId: orNull(id),
  amountMinor,
  currency,
  executionDate: day,
  standingOrderId: orNull(id),
  batchId: orNull(id),
  reasonCode: orNull(text),
  creditedMinor: orNull(amountMinor),
  creditedCurrency: orNull(currency),
})

export const paymentEvents = declareEvents(
  {
    'payments.payment.created': 'There is a new payment; its state says how far it is.',
    'payments.payment.accepted': 'The money of a payment is promised; it waits for the cut-off.',
    'payments.payment.submitted': 'A payment left the account and went out with a batch.',
    'payments.payment.acknowledged': 'The other side has a payment.',
    'payments.payment.settled': 'A payment is done.',
    'payments.payment.returned': 'The other side sent a payment back.',
    'payments.payment.rejected': 'A payment could not be made on its day.',
    'payments.payment.cancelled': 'A payment was given up before it was sent.',
  },
  paymentData,
)

export const batchEvents = declareEvents(
  {
    'payments.rail-batch.sent': 'The payments of a cut-off went out together.',
    'payments.rail-batch.acknowledged': 'The other side has a batch.',
    'payments.rail-batch.settled': 'A batch was paid from the nostro.',
  },
  record({
    batchId: id,
    rail: oneOf(railNames),
    state: oneOf(batchStates),
    payments: whole,
    totalMinor: amountMinor,
    currency,
    cutOffAt: instant,
    settlesAt: instant,
  }),
)

export const standingOrderEvents = declareEvents(
  {
    'payments.standing-order.created': 'There is a new standing order.',
    'payments.standing-order.paused': 'A standing order pays nothing until it is resumed.',
    'payments.standing-order.resumed': 'A standing order pays again, from its next date.',
    'payments.standing-order.cancelled': 'A standing order was given up.',
    'payments.standing-order.executed': 'A standing order made a payment.',
    'payments.standing-order.postponed': 'The money was not there; it is tried again tomorrow.',
    'payments.standing-order.missed': 'A date of a standing order was not paid.',
    'payments.standing-order.completed': 'A standing order has no further dates.',
  },
  record({
    standingOrderId: id,
    state: oneOf(standingOrderStates),
    debtorArrangementId: id,
    rail: oneOf(railNames),
    amountMinor,
    currency,
    frequency: oneOf(frequencies),
    executions: whole,
    nextOn: orNull(day),
    attemptOn: orNull(day),
    reasonCode: orNull(text),
  }),
)

export type PaymentEvent = keyof typeof paymentEvents
export type BatchEvent = keyof typeof batchEvents
export type StandingOrderEvent = keyof typeof standingOrderEvents

declareEvents(
  { 'payments.exchange-rate.loaded': 'An exchange rate was loaded.' },
  record({
    exchangeRateId: id,
    baseCurrency: currency,
    quoteCurrency: currency,
    rate: decimal,
    source: text,
    asOf: instant,
    validUntil: orNull(instant),
    tolerancePct: decimal,
    loadedBy: text,
  }),
)

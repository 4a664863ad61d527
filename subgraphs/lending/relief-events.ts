import { ExtraPaymentState } from './model/repayments/enumerations.ts'
import {
  ExtraPaymentStrategy,
  HolidayType,
  InterestTreatment,
  TermTreatment,
} from './model/schedules/enumerations.ts'
import {
  PaymentHolidayState,
  HardshipType,
  HardshipStatus,
  HardshipReason,
} from './model/relief/enumerations.ts'
import {
  amountMinor,
  currency,
  date,
  id,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  integer,
} from '../../kernel/events/event-data.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { HardshipRequest, hardshipStates } from './model/relief/hardship-request.ts'
import { PaymentHoliday } from './model/relief/payment-holiday.ts'
import { ExtraPayment } from './model/repayments/extra-payment.ts'

declareSubject('extra-payment', ExtraPayment)

const extraPaymentEvents = declareEvents(
  {
    'lending.extra-payment.requested': 'An extra payment was requested.',
    'lending.extra-payment.applied': 'An extra payment was booked.',
    'lending.extra-payment.rejected':
      'An extra payment was rejected because it could not be booked on its payment date.',
    'lending.extra-payment.cancelled': 'An extra payment was cancelled before it was booked.',
    'lending.extra-payment.reversed': 'An extra payment was reversed.',
  },
  record({
    extraPaymentId: id,
    facilityId: id,
    state: oneOf(ExtraPaymentState.values),
    amountMinor,
    currency,
    paymentDate: date,
    strategy: oneOf(ExtraPaymentStrategy.values),
    feeMinor: amountMinor,
    scheduleVersion: orNull(integer),
    reasonCode: orNull(text),
  }),
)

declareSubject('payment-holiday', PaymentHoliday)

const paymentHolidayEvents = declareEvents(
  {
    'lending.payment-holiday.requested': 'A payment holiday was requested.',
    'lending.payment-holiday.approved':
      'A payment holiday was approved and is now part of the schedule.',
    'lending.payment-holiday.declined': 'The bank declined a payment holiday.',
    'lending.payment-holiday.cancelled': 'A payment holiday was cancelled before it started.',
    'lending.payment-holiday.started': 'A payment holiday started.',
    'lending.payment-holiday.completed': 'The end date of a payment holiday has passed.',
    'lending.payment-holiday.ended-early': 'A payment holiday was ended before its end date.',
  },
  record({
    paymentHolidayId: id,
    facilityId: id,
    hardshipRequestId: orNull(id),
    state: oneOf(PaymentHolidayState.values),
    startDate: date,
    endDate: date,
    fromInstallment: integer,
    installments: integer,
    type: oneOf(HolidayType.values),
    interestTreatment: oneOf(InterestTreatment.values),
    termTreatment: oneOf(TermTreatment.values),
    scheduleVersion: orNull(integer),
    reasonCode: orNull(text),
  }),
)

declareSubject('hardship-request', HardshipRequest)

const hardshipEvents = declareEvents(
  {
    'lending.hardship-request.submitted': 'A hardship request was submitted.',
    'lending.hardship-request.under-review': 'The review of a hardship request started.',
    'lending.hardship-request.approved':
      'A hardship request was approved and its relief was granted.',
    'lending.hardship-request.declined':
      'A hardship request was declined. The event lists the reasons.',
    ...eventsOf(hardshipStates),
    'lending.hardship-request.decision-due':
      'The decision on a hardship request is due within five days.',
  },
  record({
    hardshipRequestId: id,
    loanId: id,
    caseId: id,
    type: oneOf(HardshipType.values),
    status: oneOf(HardshipStatus.values),
    submittedAt: instant,
    decisionDueBy: instant,
    declineReasons: listOf(oneOf(HardshipReason.values)),
    scheduleVersion: orNull(integer),
    paymentHolidayId: orNull(id),
  }),
)

export type ExtraPaymentEvent = keyof typeof extraPaymentEvents
export type PaymentHolidayEvent = keyof typeof paymentHolidayEvents
export type HardshipEvent = keyof typeof hardshipEvents

import {
  amountMinor,
  currency,
  day,
  id,
  instant,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  whole,
} from '../_kernel/event-data.ts'
import { declareEvents } from '../_kernel/events.ts'
import { extraPaymentStates } from './domain/extra-payment-request.ts'
import { hardshipReasons, hardshipStatuses, hardshipTypes } from './domain/hardship-request.ts'
import {
  extraPaymentStrategies,
  holidayTypes,
  interestTreatments,
  termTreatments,
} from './domain/loan.ts'
import { paymentHolidayStates } from './domain/payment-holiday.ts'

const extraPaymentEvents = declareEvents(
  {
    'lending.extra-payment.requested': 'Somebody wants to pay beside the instalments.',
    'lending.extra-payment.applied': 'An extra payment was booked.',
    'lending.extra-payment.rejected': 'An extra payment was not possible on its day.',
    'lending.extra-payment.cancelled': 'An extra payment was given up before its day.',
    'lending.extra-payment.reversed': 'An extra payment was taken back.',
  },
  record({
    extraPaymentId: id,
    facilityId: id,
    state: oneOf(extraPaymentStates),
    amountMinor,
    currency,
    paymentDate: day,
    strategy: oneOf(extraPaymentStrategies),
    feeMinor: amountMinor,
    scheduleVersion: orNull(whole),
    reasonCode: orNull(text),
  }),
)

const paymentHolidayEvents = declareEvents(
  {
    'lending.payment-holiday.requested': 'A borrower wants to pause instalments.',
    'lending.payment-holiday.approved': 'A payment holiday is in the schedule.',
    'lending.payment-holiday.declined': 'The bank does not give a payment holiday.',
    'lending.payment-holiday.cancelled': 'A payment holiday was given up before it began.',
    'lending.payment-holiday.started': 'A payment holiday began.',
    'lending.payment-holiday.completed': 'A payment holiday is over.',
    'lending.payment-holiday.ended-early': 'A payment holiday was ended before its time.',
  },
  record({
    paymentHolidayId: id,
    facilityId: id,
    hardshipRequestId: orNull(id),
    state: oneOf(paymentHolidayStates),
    startDate: day,
    endDate: day,
    fromInstalment: whole,
    instalments: whole,
    type: oneOf(holidayTypes),
    interestTreatment: oneOf(interestTreatments),
    termTreatment: oneOf(termTreatments),
    scheduleVersion: orNull(whole),
    reasonCode: orNull(text),
  }),
)

const hardshipEvents = declareEvents(
  {
    'lending.hardship-request.submitted': 'A borrower cannot pay as agreed.',
    'lending.hardship-request.under-review': 'Somebody looks at a hardship request.',
    'lending.hardship-request.approved': 'A borrower in hardship was given other terms.',
    'lending.hardship-request.declined': 'A hardship request was declined, with its reasons.',
    'lending.hardship-request.cancelled': 'A hardship request was given up.',
    'lending.hardship-request.decision-due': 'The time to decide on a request is nearly over.',
  },
  record({
    hardshipRequestId: id,
    loanId: id,
    caseId: id,
    type: oneOf(hardshipTypes),
    status: oneOf(hardshipStatuses),
    submittedAt: instant,
    decisionDueBy: instant,
    declineReasons: listOf(oneOf(hardshipReasons)),
    scheduleVersion: orNull(whole),
    paymentHolidayId: orNull(id),
  }),
)

export type ExtraPaymentEvent = keyof typeof extraPaymentEvents
export type PaymentHolidayEvent = keyof typeof paymentHolidayEvents
export type HardshipEvent = keyof typeof hardshipEvents

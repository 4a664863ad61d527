import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const HardshipType = enumeration(
  'HardshipType',
  'The kind of relief that a borrower requests.',
  {
    'payment-holiday': 'A period in which installments need not be paid.',
    'term-extension': 'More installments, so that each installment is smaller.',
    restructure: 'A new interest rate, more installments, or arrears added to the principal.',
    'temporary-reduction': 'Smaller installments for a limited period.',
  },
)
export type HardshipType = TypeOf<typeof HardshipType>

export const HardshipStatus = enumeration(
  'HardshipStatus',
  'The lifecycle state of a hardship request.',
  {
    submitted: 'The request was submitted and its review has not started.',
    'under-review': 'The bank is reviewing the request.',
    approved: 'The request was approved and the loan has its new schedule. This state is final.',
    declined: 'The request was declined. This state is final.',
    cancelled: 'The request was withdrawn before it was decided. This state is final.',
  },
)
export type HardshipStatus = TypeOf<typeof HardshipStatus>

export const HardshipReason = enumeration(
  'HardshipReason',
  'A reason why a hardship request is declined.',
  {
    'ability-to-pay-not-affected': 'The borrower can pay as agreed.',
    'hardship-not-evidenced': 'There is no evidence of the hardship.',
    'no-prospect-of-repayment': 'The borrower could not repay the loan even with relief.',
    'information-not-provided':
      'The borrower did not provide the information that the bank requested.',
    'relief-not-suitable': "The requested relief does not suit the borrower's situation.",
    'relief-limit-reached': 'The loan has already received the maximum relief allowed.',
    other: 'Another reason.',
  },
)
export type HardshipReason = TypeOf<typeof HardshipReason>

export const PaymentHolidayState = enumeration(
  'PaymentHolidayState',
  'The lifecycle state of a payment holiday.',
  {
    requested: "The payment holiday waits for the bank's approval.",
    approved:
      'The payment holiday was approved and starts on its start date. The schedule already ' +
      'includes it.',
    active: 'The payment holiday has started and has not ended.',
    completed: 'The payment holiday ended on its end date. This state is final.',
    'ended-early': 'The payment holiday was ended before its end date. This state is final.',
    declined: 'The bank declined the payment holiday. This state is final.',
    cancelled: 'The payment holiday was cancelled before it started. This state is final.',
  },
)
export type PaymentHolidayState = TypeOf<typeof PaymentHolidayState>

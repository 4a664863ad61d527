import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const PaymentState = enumeration('PaymentState', 'The lifecycle state of a payment.', {
  'pending-signatures':
    'The payment waits for the signatures that the signing rule of the account requires. The ' +
    'amount is not reserved.',
  scheduled: 'The payment waits for its execution date.',
  accepted:
    'The amount is reserved on the account, and the payment waits for the cut-off of its rail.',
  submitted: 'The rail sent the payment to the other bank.',
  acknowledged: 'The other bank acknowledged the payment.',
  settled: 'The payment is complete. A payment to another bank can still be returned.',
  returned: 'The other bank sent the payment back. This state is final.',
  rejected:
    'The payment could not be executed on its execution date, or a signatory declined it, or it ' +
    'did not get its signatures in time. This state is final.',
  cancelled: 'The payment was cancelled before it was sent. This state is final.',
})
export type PaymentState = TypeOf<typeof PaymentState>

export const FlowKind = enumeration('LiquidityFlowKind', 'The cause of an expected cash flow.', {
  payment: 'A payment that has not left the nostro account yet.',
  'standing-order': 'A future payment of a standing order.',
  authorisation: 'An open authorization.',
})
export type FlowKind = TypeOf<typeof FlowKind>

export const TransactionStatus = enumeration('TransactionStatus', 'The status of a transaction.', {
  pending: 'The transaction is authorized, and at least a part of it is not settled.',
  booked: 'The transaction is booked.',
  reversed: 'The transaction was booked and later reversed by another transaction.',
  released: 'The authorization was released or expired without being settled.',
})
export type TransactionStatus = TypeOf<typeof TransactionStatus>

export const StandingOrderState = enumeration(
  'StandingOrderState',
  'The lifecycle state of a standing order.',
  {
    active: 'Payments are made as scheduled.',
    paused: 'The standing order makes no payments until it is resumed.',
    completed: 'No further payment dates remain. This state is final.',
    cancelled: 'The standing order was cancelled. This state is final.',
  },
)
export type StandingOrderState = TypeOf<typeof StandingOrderState>

export const Frequency = enumeration(
  'StandingOrderFrequency',
  'How often a standing order makes a payment.',
  {
    weekly: 'Every 7 days.',
    monthly:
      'Every month, on the day of the month of the first payment, or on the last day of a ' +
      'shorter month.',
    quarterly:
      'Every three months, on the day of the month of the first payment, or on the last day of a ' +
      'shorter month.',
  },
)
export type Frequency = TypeOf<typeof Frequency>

import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const RepaymentState = enumeration('RepaymentState', 'The lifecycle state of a repayment.', {
  applied: 'The repayment was booked.',
  reversed: 'The repayment was booked and reversed. This state is final.',
})
export type RepaymentState = TypeOf<typeof RepaymentState>

export const DuePart = enumeration('DuePart', 'The part of an installment that a payment covers.', {
  fees: 'The fee for late payment of the installment.',
  penalties: 'The default interest of the installment.',
  interest: 'The interest of the installment.',
  principal: 'The principal of the installment.',
})
export type DuePart = TypeOf<typeof DuePart>

export const ExtraPaymentState = enumeration(
  'ExtraPaymentState',
  'The lifecycle state of an extra payment.',
  {
    requested:
      'The payment waits for its payment date or, without a source account, for the bank to ' +
      'apply it.',
    applied: 'The payment was booked.',
    rejected: 'The payment could not be booked. This state is final.',
    cancelled: 'The payment was cancelled before it was booked. This state is final.',
    reversed: 'The payment was booked and reversed. This state is final.',
  },
)
export type ExtraPaymentState = TypeOf<typeof ExtraPaymentState>

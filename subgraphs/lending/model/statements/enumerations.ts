import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const FacilityMovementKind = enumeration(
  'FacilityMovementKind',
  'The kind of a movement on the statement of a facility.',
  {
    drawdown: 'Money was paid out to the borrower.',
    'drawdown-reversed': 'A drawdown was reversed.',
    repayment: 'The borrower paid, or the bank collected what was due.',
    'repayment-reversed': 'A repayment was reversed, such as one that bounced.',
    'extra-payment': 'The borrower paid more than what was due.',
    'extra-payment-reversed': 'An extra payment was reversed.',
    'prepayment-fee': 'The fee of an extra payment was paid. It is not part of the balance.',
    'prepayment-fee-reversed': 'The fee of an extra payment was paid back.',
    interest: 'Interest accrued up to and including the date.',
    'installment-due': 'An installment became due. It does not change the balance.',
    'interest-capitalized': 'Interest was added to the principal.',
    'arrears-capitalized': 'Amounts that were due were added to the principal.',
    'payments-reallocated':
      'Extra payments cover other parts of interest and principal after a schedule change.',
    'late-charges': 'Late fees or default interest were charged.',
    'late-charges-corrected': 'Late charges were lowered after a payment with an earlier date.',
    'late-charges-waived': 'The bank waived late charges.',
    'rate-change': 'The interest rate changed. It does not change the balance.',
    'charge-off': 'The bank charged off what was owed.',
    recovery: 'A part of the charged-off amount was recovered.',
    'write-off': 'The bank gave up the recovery of the rest. It does not change the balance.',
  },
)
export type FacilityMovementKind = TypeOf<typeof FacilityMovementKind>

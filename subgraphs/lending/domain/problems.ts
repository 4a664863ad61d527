import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../ledger/domain/problems.ts'

/** The problem codes that only the lending area uses. */
const problems = declareProblems({
  DRAWDOWN_NOT_FOUND: problemKind(404, 'The drawdown does not exist.'),
  EXTRA_PAYMENT_NOT_FOUND: problemKind(404, 'The extra payment does not exist.'),
  HARDSHIP_REQUEST_NOT_FOUND: problemKind(404, 'The hardship request does not exist.'),
  PAYMENT_HOLIDAY_NOT_FOUND: problemKind(404, 'The payment holiday does not exist.'),
  REPAYMENT_NOT_FOUND: problemKind(404, 'The repayment does not exist.'),
  PROMISE_TO_PAY_NOT_FOUND: problemKind(404, 'The promise to pay does not exist.'),
  OBLIGOR_NOT_FOUND: problemKind(404, 'The obligor does not exist.'),
  GUARANTEE_CALL_NOT_FOUND: problemKind(404, 'The call of a guarantee does not exist.'),
  RATE_RESET_LETTER_NOT_FOUND: problemKind(404, 'The letter about a reset does not exist.'),
  FACILITY_NOT_ACTIVE: problemKind(409, 'The facility is not active.'),
  LOAN_NOT_ELIGIBLE_STATE: problemKind(
    409,
    'The status of the loan does not allow a change of terms.',
  ),
  NO_RATE_RESET: problemKind(409, 'The rate of the facility has no reset that is still to come.'),
  NOTHING_DUE: problemKind(409, 'Nothing is due on the facility.'),
  OVERLAPPING_HOLIDAY: problemKind(409, 'The period overlaps with another payment holiday.'),
  INSTALMENT_ALREADY_PAID: problemKind(
    422,
    'An installment that has become due cannot be changed.',
  ),
  BELOW_MINIMUM_DRAWDOWN: problemKind(
    422,
    'The amount is below the minimum drawdown, or does not exceed the upfront fees.',
  ),
  EXCEEDS_PAYOFF_AMOUNT: problemKind(422, 'The amount exceeds the payoff amount.'),
  EXCEEDS_GUARANTEE: problemKind(422, 'The amount exceeds what the guarantor is liable for.'),
  OBLIGOR_IS_BORROWER: problemKind(422, 'The party is the borrower of the facility.'),
  INVALID_PAYMENT_DATE: problemKind(422, 'The payment date is outside the allowed period.'),
  FACILITY_IN_ARREARS: problemKind(422, 'The facility is in arrears.'),
  OUTSIDE_AVAILABILITY_PERIOD: problemKind(
    422,
    'The date is outside the availability period of the facility.',
  ),
  BELOW_MINIMUM_EXTRA_PAYMENT: problemKind(
    422,
    'The amount is below the minimum extra payment of the product.',
  ),
  END_AFTER_MATURITY: problemKind(422, 'The end date is after the maturity date of the loan.'),
  HOLIDAY_ALLOWANCE_EXCEEDED: problemKind(
    422,
    'The payment holiday exceeds the allowance of the product.',
  ),
  NO_INSTALMENT_IN_PERIOD: problemKind(422, 'No installment is due in the requested period.'),
  NOT_SUPPORTED_FOR_REVOLVING: problemKind(
    422,
    'Payment holidays are not available for revolving facilities.',
  ),
  PERIOD_TOO_LONG: problemKind(422, 'The relief period is longer than the product allows.'),
  SEASONING_NOT_MET: problemKind(
    422,
    'Too few installments have become due before the payment holiday.',
  ),
  START_DATE_IN_PAST: problemKind(422, 'The start date is in the past.'),
  STRATEGY_NOT_SUPPORTED: problemKind(
    422,
    'The facility does not support the requested extra-payment strategy.',
  ),
  LOSS_PROPOSAL_NOT_FOUND: problemKind(404, 'The charge-off or write-off proposal does not exist.'),
  LOSS_REASON_REQUIRED: problemKind(
    422,
    'A reason is required, because the facility is not in arrears.',
  ),
  RATE_OUT_OF_RANGE: problemKind(422, 'The interest rate is outside the range of the product.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../ledger/domain/problems.ts'

/** The problem codes that only payments raise. */
const problems = declareProblems({
  PAYMENT_NOT_FOUND: problemKind(404, 'The payment does not exist.'),
  POSTING_INSTRUCTION_NOT_FOUND: problemKind(404, 'The posting instruction does not exist.'),
  TRUSTED_PAYEE_NOT_FOUND: problemKind(404, 'The trusted payee does not exist.'),
  NOT_FOR_THE_BANK: problemKind(403, 'Only the customer can perform this operation, not the bank.'),
  NOT_A_SIGNATORY: problemKind(403, 'The caller is not a signatory of the payment.'),
  ALREADY_SIGNED: problemKind(409, 'The caller has already signed the payment.'),
  SIGNATURE_DECLINED: problemKind(409, 'A signatory declined to sign the payment.'),
  SIGNATURES_EXPIRED: problemKind(409, 'The payment did not get its signatures in time.'),
  STANDING_ORDER_NOT_FOUND: problemKind(404, 'The standing order does not exist.'),
  SIMULATION_NOT_AVAILABLE: problemKind(409, 'Simulations are only available in the sandbox.'),
  BATCH_TOO_LARGE: problemKind(422, 'The batch has more than 1,000 instructions.'),
  DESTINATION_NOT_REACHABLE: problemKind(
    422,
    "None of the bank's payment rails can reach this account.",
  ),
  EXECUTION_DATE_OUT_OF_RANGE: problemKind(
    422,
    'The execution date is in the past or too far ahead.',
  ),
  INTERNAL_ACCOUNT_NOT_FOUND: problemKind(422, 'The bank has no internal account with this code.'),
  FX_RATE_MISSING: problemKind(422, 'There is no current exchange rate for the two currencies.'),
  FX_RATE_OUT_OF_TOLERANCE: problemKind(422, 'The amounts deviate too far from the exchange rate.'),
  FX_POSITION_UNBALANCED: problemKind(
    422,
    'Postings to position accounts need two currencies and opposite directions.',
  ),
  FX_RATE_STALE: problemKind(422, 'The latest exchange rate is too old to be used for a customer.'),
  FX_QUOTE_OUTDATED: problemKind(409, 'The exchange rate has changed since the quote.'),
  FX_NOT_OFFERED: problemKind(422, 'This currency exchange is not offered.'),
  CONTROL_ACCOUNT_NOT_POSTABLE: problemKind(
    422,
    'A client cannot post to a control account; only the area that keeps its subledger can.',
  ),
  FORCE_NOT_PERMITTED: problemKind(403, 'The token does not permit forced postings.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

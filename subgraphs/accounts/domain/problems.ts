import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only accounts raise. */
const problems = declareProblems({
  ARRANGEMENT_ALREADY_EXISTS: problemKind(
    409,
    'The ID is already in use by another account arrangement.',
  ),
  FUNDING_ACCOUNT_NOT_ALLOWED: problemKind(
    422,
    'A deposit is funded from another open account of the same customer in the same currency.',
  ),
  ARRANGEMENT_NOT_EMPTY: problemKind(
    409,
    'The account has a balance or open authorizations and cannot be closed.',
  ),
  ARRANGEMENT_LIMIT_REACHED: problemKind(
    422,
    'The customer has reached the maximum number of accounts of this product.',
  ),
  PARAMETER_OUT_OF_RANGE: problemKind(422, 'A parameter is outside the range of the product.'),
  PRODUCT_CLASS_NOT_OPENABLE: problemKind(
    422,
    'Accounts cannot be opened for products of this class.',
  ),
  SETTLEMENT_ACCOUNT_IN_USE: problemKind(
    409,
    'A facility or a term deposit uses the account for payouts or collections. Change its ' +
      'settlement account first.',
  ),
  OVERDRAFT_NOT_FOUND: problemKind(404, 'The overdraft does not exist.'),
  OVERDRAFT_NOT_OFFERED: problemKind(
    422,
    'The account is not open, or its product version has no overdraft terms.',
  ),
  OVERDRAFT_NOTICE_TOO_SHORT: problemKind(
    422,
    'A lower limit needs the days of notice that the product promises.',
  ),
  OVERDRAFT_WRITE_OFF_NOT_FOUND: problemKind(404, 'The write-off does not exist.'),
  OVERDRAFT_STILL_IN_USE: problemKind(
    409,
    'An overdraft is written off only if the account is overdrawn, blocked for debits and without ' +
      'open authorizations, and its limit is withdrawn for good.',
  ),
  OVERDRAFT_WRITTEN_OFF: problemKind(
    409,
    'The overdraft of the account was written off and not fully recovered.',
  ),
  SIGNING_RULE_NOT_FOUND: problemKind(404, 'The signing rule does not exist.'),
  SIGNATORY_NOT_ENTITLED: problemKind(
    422,
    'A signatory neither owns the account nor is entitled to pay from it.',
  ),
  INTEREST_OUTSTANDING: problemKind(409, 'The accrued interest of the account must be paid first.'),
  FEES_OUTSTANDING: problemKind(
    409,
    'Outstanding fees of the account must be collected or waived first.',
  ),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

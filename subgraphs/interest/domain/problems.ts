import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../ledger/domain/problems.ts'

/** The problem codes that only interest raises. */
const problems = declareProblems({
  INTEREST_NOT_FOUND: problemKind(404, 'The account earns no interest.'),
  RATE_OVERRIDE_NOT_FOUND: problemKind(404, 'The interest rate of the account does not exist.'),
  TAX_EXEMPTION_NOT_FOUND: problemKind(404, 'The tax exemption does not exist.'),
  TERM_DEPOSIT_NOT_FOUND: problemKind(404, 'The term deposit does not exist.'),
  TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED: problemKind(
    422,
    'A term deposit needs an active account that is empty, and another open account of the same ' +
      'customer in the same currency.',
  ),
  EARLY_WITHDRAWAL_NOT_ALLOWED: problemKind(
    409,
    'The term deposit cannot be withdrawn before its maturity.',
  ),
  PAYOUT_ACCOUNT_NOT_ALLOWED: problemKind(
    422,
    'Interest can be paid only to another open account of the same customer in the same currency.',
  ),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

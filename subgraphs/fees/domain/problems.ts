import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../ledger/domain/problems.ts'

/** The problem codes that only fees raise. */
const problems = declareProblems({
  FEE_NOT_FOUND: problemKind(404, 'The product does not have this fee.'),
  FEE_RUN_NOT_FOUND: problemKind(404, 'The fee run does not exist.'),
  FEE_PERIOD_INVALID: problemKind(422, 'No period of the fee starts on this date.'),
  FEE_RUN_NOT_REVERSIBLE: problemKind(422, 'The fee run has no charges to reverse.'),
  FEE_CHARGE_NOT_FOUND: problemKind(404, 'The fee charge does not exist.'),
  FEE_NOT_CHARGEABLE: problemKind(422, 'The fee cannot be charged to this account.'),
  FEE_WAIVED: problemKind(422, 'A waiver of the fee applies to the account.'),
  FEE_RECEIVABLE_NOT_FOUND: problemKind(404, 'The fee receivable does not exist.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

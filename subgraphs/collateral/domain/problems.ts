import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only collateral raises. */
const problems = declareProblems({
  COLLATERAL_NOT_FOUND: problemKind(404, 'The collateral record does not exist.'),
  COLLATERAL_IDENTIFIER_IN_USE: problemKind(409, 'Another collateral record has this identifier.'),
  OVER_ALLOCATED: problemKind(422, 'The allocations exceed the lendable value of the collateral.'),
  OWNERSHIP_EXCEEDS_100: problemKind(
    422,
    'The shares of the owners add up to more than 100 percent.',
  ),
  VALUATION_DATE_IN_FUTURE: problemKind(422, 'The valuation date is in the future.'),
  VALUATION_REQUIRED: problemKind(422, 'The collateral has no valuation.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

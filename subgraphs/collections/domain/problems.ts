import { declareProblems, Problem } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem }

/** The problem codes that only collections raises. */
const problems = declareProblems({
  COLLECTIONS_STRATEGY_NOT_FOUND: problemKind(404, 'The collections strategy does not exist.'),
  COLLECTIONS_STRATEGY_INVALID: problemKind(422, 'The collections strategy is not valid.'),
  COLLECTIONS_CASE_MISSING: problemKind(409, 'The episode has no case.'),
  COLLECTIONS_STEP_NOT_FOUND: problemKind(404, 'The collections step does not exist.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

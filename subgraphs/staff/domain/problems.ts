import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only this area raises. */
const problems = declareProblems({
  EMPLOYEE_NOT_FOUND: problemKind(404, 'The employee does not exist.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

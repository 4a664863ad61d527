import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only this area raises. */
const problems = declareProblems({
  DATA_EXPORT_NOT_FOUND: problemKind(404, 'The data export does not exist.'),
  DATA_EXPORT_EXPIRED: problemKind(410, 'The data export has expired; request a new one.'),
  ERASURE_REQUEST_NOT_FOUND: problemKind(404, 'The erasure request does not exist.'),
  ERASURE_BLOCKED: problemKind(
    409,
    'The party has open business with the bank, or the employee has not left.',
  ),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only casework raises. */
const problems = declareProblems({
  UPLOAD_NOT_FOUND: problemKind(404, 'The upload does not exist, was already used or has expired.'),
  CONTENT_ADDRESS_EXPIRED: problemKind(410, 'The link has expired; request a new one.'),
  CONTENT_NOT_RECEIVED: problemKind(409, 'The content has not been uploaded yet.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

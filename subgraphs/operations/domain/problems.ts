import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only operations raise. */
const problems = declareProblems({
  JOB_NOT_FOUND: problemKind(404, 'The job does not exist.'),
  OAUTH_CLIENT_NOT_FOUND: problemKind(404, 'The OAuth client does not exist.'),
  CONNECTED_APP_NOT_FOUND: problemKind(404, 'No app with this grant acts for the person.'),
  LOG_IN_SESSION_NOT_FOUND: problemKind(404, 'The person has no such session.'),
  CLOCK_NOT_MOVABLE: problemKind(409, 'Only the clock of the sandbox can be changed.'),
  CLOCK_ADVANCE_NOT_FOUND: problemKind(404, 'The clock advance does not exist.'),
  CLOCK_OUT_OF_RANGE: problemKind(422, 'The clock can only move forward, at most 100 years ahead.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

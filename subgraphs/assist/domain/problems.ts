import { declareProblems } from '../../../kernel/domain/problem.ts'
import {
  problemKind,
  retryableKind,
  type ProblemKind,
} from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only assistants raise. */
const problems = declareProblems({
  ASSISTANT_NOT_FOUND: problemKind(404, 'The assistant version does not exist.'),
  ASSISTANT_DISABLED: problemKind(409, 'The assistant is disabled.'),
  ASSISTANT_NOT_PERMITTED: problemKind(403, 'The assistant is not available to this caller.'),
  SESSION_NOT_ACTIVE: problemKind(409, 'The session has ended.'),
  SESSION_BUSY: retryableKind(409, 'The assistant is still processing the previous message.'),
  SESSION_LIMIT_REACHED: problemKind(429, 'The maximum number of open assist sessions is reached.'),
  SESSION_BUDGET_EXCEEDED: problemKind(429, 'The session has reached one of its limits.'),
  APPROVAL_PENDING: problemKind(
    409,
    'Another person must approve a tool call before the session can continue.',
  ),
  APPROVAL_EXPIRED: problemKind(409, 'The approval request has expired.'),
  ARGUMENTS_CHANGED: problemKind(
    409,
    'The arguments changed after they were reviewed; review them again.',
  ),
  REQUESTER_RIGHTS_REVOKED: problemKind(
    403,
    'The rights with which the tool call was requested were revoked.',
  ),
  CONTENT_REQUIRED: problemKind(422, 'The message is empty.'),
  CONTENT_TOO_LONG: problemKind(422, 'The message is too long.'),
  ROLE_NOT_ALLOWED: problemKind(422, 'Clients can only send messages with the role "user".'),
  MODEL_UNAVAILABLE: retryableKind(503, 'The language model of the assistant is not responding.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

import { kind, retry } from './problem-kind.ts'

/** Problem codes of assistants; part of the catalog. */
export const assistProblems = {
  ASSISTANT_DISABLED: kind(409, 'The assistant is disabled.'),
  ASSISTANT_NOT_PERMITTED: kind(403, 'The assistant is not available to this caller.'),
  SESSION_NOT_ACTIVE: kind(409, 'The session has ended.'),
  SESSION_BUSY: retry(409, 'The assistant is still processing the previous message.'),
  SESSION_LIMIT_REACHED: kind(429, 'The maximum number of open assist sessions is reached.'),
  SESSION_BUDGET_EXCEEDED: kind(429, 'The session has reached one of its limits.'),
  APPROVAL_PENDING: kind(409, 'The session waits for another person to approve a tool call.'),
  APPROVAL_EXPIRED: kind(409, 'The approval request has expired.'),
  ARGUMENTS_CHANGED: kind(
    409,
    'The arguments changed after they were reviewed; review them again.',
  ),
  CONSENT_REQUIRED: kind(422, 'The party concerned has not consented.'),
  CONTENT_REQUIRED: kind(422, 'The message is empty.'),
  CONTENT_TOO_LONG: kind(422, 'The message is too long.'),
  ROLE_NOT_ALLOWED: kind(422, 'Clients can only send messages with the role "user".'),
  MODEL_UNAVAILABLE: retry(503, 'The model of the assistant does not respond.'),
} as const

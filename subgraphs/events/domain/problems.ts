import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only event subscriptions and webhooks raise. */
const problems = declareProblems({
  SUBSCRIPTION_NOT_FOUND: problemKind(404, 'The event subscription does not exist.'),
  WEBHOOK_DELIVERY_NOT_FOUND: problemKind(404, 'The webhook delivery does not exist.'),
  WEBHOOK_ENDPOINT_NOT_FOUND: problemKind(404, 'The webhook endpoint does not exist.'),
  SUBSCRIPTION_ALREADY_EXISTS: problemKind(
    409,
    'The ID is already in use by another event subscription.',
  ),
  SUBSCRIPTION_LIMIT_REACHED: problemKind(
    422,
    'The client has reached the maximum number of subscriptions.',
  ),
  TARGET_URL_NOT_ALLOWED: problemKind(422, 'The URL is not allowed as a webhook target.'),
  TARGET_URL_NOT_HTTPS: problemKind(422, 'The URL must start with https://.'),
  WEBHOOK_ENDPOINT_LIMIT_REACHED: problemKind(
    422,
    'The client has reached the maximum number of webhook endpoints.',
  ),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

import { declareProblems } from '../../../kernel/domain/problem.ts'
import { problemKind, type ProblemKind } from '../../../kernel/domain/problem-kind.ts'

export { Problem } from '../../../kernel/domain/problem.ts'

/** The problem codes that only channels and interactions raise. */
const problems = declareProblems({
  CHANNEL_NOT_FOUND: problemKind(404, 'The channel does not exist.'),
  INTERACTION_NOT_FOUND: problemKind(404, 'The interaction does not exist.'),
  QUEUE_NOT_FOUND: problemKind(404, 'The queue does not exist.'),
  PROFILE_IN_USE: problemKind(409, 'Agents or other profiles use the routing profile.'),
  ROUTING_PROFILE_NAME_EXISTS: problemKind(409, 'Another routing profile has this name.'),
  CHANNEL_CLOSED: problemKind(422, 'The channel is inactive or outside its opening hours.'),
  CHANNEL_CONCURRENCY_MISSING: problemKind(
    422,
    'The routing profile sets no concurrency limit for a channel that one of its queues uses.',
  ),
  DUPLICATE_QUEUE_CHANNEL: problemKind(
    422,
    'The routing profile lists a queue twice for the same channel.',
  ),
  FALLBACK_CYCLE: problemKind(422, 'The fallback profiles would form a cycle.'),
})

declare module '../../../kernel/domain/problem.ts' {
  interface ProblemKinds extends Record<keyof typeof problems, ProblemKind> {}
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { catalog, type Problem, type ProblemCode } from '../kernel/domain/problem.ts'
import { formatError, problemOf } from '../kernel/graph/errors.ts'
import { withRequestId } from './errors.ts'
import { challengeOf } from './proofs.ts'

/**
 * The codes of validation errors. In `application/json` responses they have status 200 (GraphQL
 * over HTTP, 6.4.1).
 */
const inputCodes: ReadonlySet<ProblemCode> = new Set(['VALIDATION_FAILED', 'UNKNOWN_PROPERTY'])

/**
 * Whether an error always has status 200. With any other status, Apollo Client would stop using
 * persisted queries.
 */
const isAlwaysOk = (code: ProblemCode) => code === 'PERSISTED_QUERY_NOT_FOUND'

/** Sends an error that ended a request without an execution result. */
export function sendGraphProblem(
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const problem: Problem = problemOf(error, bank.log)
  if (problem.status === 401 || problem.status === 403) {
    reply.header('www-authenticate', challengeOf(bank, request, problem))
  }
  const { retryAfterSeconds } = problem.members
  if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
  const isGraphQLMedia = request.headers.accept?.includes('application/graphql-response+json')
  const isOk = isAlwaysOk(problem.code) || (!isGraphQLMedia && inputCodes.has(problem.code))
  return reply
    .code(isOk ? 200 : catalog[problem.code].status)
    .header('cache-control', 'no-store')
    .type(`application/${isGraphQLMedia ? 'graphql-response+json' : 'json'}; charset=utf-8`)
    .send(JSON.stringify(withRequestId({ errors: [formatError(problem, bank.log)] }, request.id)))
}

import type { GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { isUnavailable, sqlState } from '../database/sql-errors.ts'
import { isRetryable, Problem, type ProblemCode } from '../domain/problem.ts'

/**
 * Formats an error for a GraphQL response. A Problem keeps its code and members. A value that a
 * scalar rejects becomes VALIDATION_FAILED. A canceled statement becomes TIMEOUT, and an
 * unavailable database becomes DEPENDENCY_UNAVAILABLE. Any other error becomes INTERNAL, and its
 * text appears only in the log.
 */
export function formatError(error: unknown, log: Logger): GraphQLFormattedError {
  const { path, originalError } = error as { path?: (string | number)[]; originalError?: unknown }
  const problem = problemOf(originalError ?? error, log)
  return { message: problem.message, ...(path && { path }), extensions: extensionsOf(problem) }
}

/**
 * Returns the members of a problem that both GraphQL (`errors[].extensions`) and the REST problem
 * document contain, except the ID of the request, which the gateway adds.
 */
export function extensionsOf(problem: Problem): Record<string, unknown> & { code: ProblemCode } {
  const { detail: _, ...members } = problem.members
  const { code, status } = problem
  return { code, status, retryable: isRetryable(code), ...members }
}

/**
 * Converts a thrown value to the Problem that the caller receives. Logs unexpected errors and an
 * unavailable database.
 */
export function problemOf(error: unknown, log: Logger): Problem {
  if (error instanceof Problem) return error
  if (isInputError(error)) {
    const detail = (error as Error).message
    const errors = [{ pointer: '', code: 'INVALID', detail }]
    return new Problem('VALIDATION_FAILED', { detail, errors }, { cause: error })
  }
  const state = error instanceof Error ? sqlState(error) : undefined
  if (state === '57014') return new Problem('TIMEOUT', {}, { cause: error })
  const isCanceledByOthers = state === '40001' || state === '40P01'
  if (error instanceof Error && (isCanceledByOthers || isUnavailable(error))) {
    log.warn({ error: error.message }, 'the database is not available')
    return new Problem('DEPENDENCY_UNAVAILABLE', {}, { cause: error })
  }
  log.error({ error }, 'an unexpected error was masked')
  return new Problem('INTERNAL', {}, { cause: error })
}

/**
 * Whether GraphQL rejected a value or a document. Such a GraphQLError wraps no other error and has
 * no path.
 */
function isInputError(error: unknown): boolean {
  const { name, originalError } = error as { name?: string; originalError?: unknown }
  return name === 'GraphQLError' && !originalError && !(error as { path?: unknown }).path
}

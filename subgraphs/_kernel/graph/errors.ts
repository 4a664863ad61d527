import type { GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { isUnavailable, sqlState } from '../sql-errors.ts'
import { catalogue, Problem, type ProblemCode } from '../domain/problem.ts'

/**
 * Formats an error for a response. A Problem keeps its code and members, a value that a scalar
 * rejects becomes VALIDATION_FAILED, and anything else becomes INTERNAL: its text goes to the log
 * only.
 */
export function formatError(error: unknown, log: Logger): GraphQLFormattedError {
  const { path, originalError } = error as { path?: (string | number)[]; originalError?: unknown }
  const problem = problemOf(originalError ?? error, log)
  return { message: problem.message, ...(path && { path }), extensions: extensionsOf(problem) }
}

/** The members of a problem in GraphQL's `errors[].extensions` and in the REST problem document. */
export function extensionsOf(problem: Problem): Record<string, unknown> & { code: ProblemCode } {
  const { detail: _, ...members } = problem.members
  return { code: problem.code, retryable: isRetryable(problem.code), ...members }
}

export function isRetryable(code: ProblemCode): boolean {
  return 'retryable' in catalogue[code]
}

/**
 * Converts anything thrown to the Problem that the caller receives. Logs what is not the caller's
 * fault.
 */
export function problemOf(error: unknown, log: Logger): Problem {
  if (error instanceof Problem) return error
  if (isInputRefusal(error)) {
    const detail = (error as Error).message
    const errors = [{ pointer: '', code: 'INVALID', detail }]
    return new Problem('VALIDATION_FAILED', { detail, errors }, { cause: error })
  }
  const state = error instanceof Error ? sqlState(error) : undefined
  if (state === '57014') return new Problem('TIMEOUT', {}, { cause: error })
  if (error instanceof Error && isUnavailable(error)) {
    log.warn({ error: error.message }, 'the database is not available')
    return new Problem('DEPENDENCY_UNAVAILABLE', {}, { cause: error })
  }
  log.error({ error }, 'an unexpected error was masked')
  return new Problem('INTERNAL', {}, { cause: error })
}

/**
 * Whether GraphQL itself rejected a value or a document: a GraphQLError that wraps no other error.
 */
function isInputRefusal(error: unknown): boolean {
  const { name, originalError } = error as { name?: string; originalError?: unknown }
  return name === 'GraphQLError' && !originalError && !(error as { path?: unknown }).path
}

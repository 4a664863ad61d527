import type { GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { isUnavailable, sqlState } from '../sql-errors.ts'
import { catalogue, Problem, type ProblemCode } from '../domain/problem.ts'

/**
 * An error as it crosses a boundary: a Problem with its code and members; a value the schema's
 * scalars refuse as VALIDATION_FAILED; anything else as INTERNAL, with its text only in our log.
 */
export function formatError(error: unknown, log: Logger): GraphQLFormattedError {
  const { path, originalError } = error as { path?: (string | number)[]; originalError?: unknown }
  const problem = problemOf(originalError ?? error, log)
  return { message: problem.message, ...(path && { path }), extensions: extensionsOf(problem) }
}

/** The members a problem carries in `errors[].extensions`, and in the body of REST's problem. */
export function extensionsOf(problem: Problem): Record<string, unknown> & { code: ProblemCode } {
  const { detail: _, ...members } = problem.members
  return { code: problem.code, retryable: isRetryable(problem.code), ...members }
}

export function isRetryable(code: ProblemCode): boolean {
  return 'retryable' in catalogue[code]
}

/** What to tell the caller about anything that was thrown. Logs what is ours to mend. */
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

/** GraphQL itself refuses a value or a document: a GraphQLError that wraps nothing. */
function isInputRefusal(error: unknown): boolean {
  const { name, originalError } = error as { name?: string; originalError?: unknown }
  return name === 'GraphQLError' && !originalError && !(error as { path?: unknown }).path
}

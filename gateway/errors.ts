import { GraphQLError, type ExecutionResult, type GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { catalog, isRetryable, Problem, type ProblemCode } from '../kernel/domain/problem.ts'
import { extensionsOf, problemOf } from '../kernel/graph/errors.ts'

/** Maps Apollo's error codes to the problem codes of the catalog. */
const apolloCodes: Record<string, ProblemCode> = {
  GRAPHQL_PARSE_FAILED: 'GRAPHQL_PARSE_FAILED',
  GRAPHQL_VALIDATION_FAILED: 'GRAPHQL_VALIDATION_FAILED',
  BAD_USER_INPUT: 'VALIDATION_FAILED',
  OPERATION_RESOLUTION_FAILURE: 'GRAPHQL_VALIDATION_FAILED',
  BAD_REQUEST: 'BAD_REQUEST',
}

/** The error extensions that are never sent to clients. */
const hiddenExtensions = new Set(['serviceName', 'response', 'stacktrace', 'http', 'exception'])

/**
 * Formats an error of the gateway for clients. An error with a code from the catalog keeps its
 * members. An error of Apollo or of an input keeps its message and gets a problem code. Any other
 * error is converted by `problemOf`, so the text of an unexpected error appears only in the log.
 */
export function maskError(error: unknown, log: Logger): GraphQLFormattedError {
  const { message, path, locations, extensions = {} } = error as GraphQLFormattedError
  const location = { ...(locations && { locations }), ...(path && { path }) }
  const code = (extensions['code'] as string | undefined) ?? ''
  if (Object.hasOwn(catalog, code)) {
    const members = Object.entries(extensions).filter(([name]) => !hiddenExtensions.has(name))
    const { status } = catalog[code as ProblemCode]
    const retryable = isRetryable(code as ProblemCode)
    const sent = { status, retryable, ...Object.fromEntries(members) }
    return { message, ...location, extensions: sent }
  }
  const problemCode = apolloCodes[code]
  if (problemCode || isInputError(error)) {
    const errors = [{ pointer: '', code: 'INVALID', detail: message }]
    const known = problemCode ?? 'VALIDATION_FAILED'
    const { status } = catalog[known]
    const sent = { code: known, status, retryable: false, errors }
    return { message, ...location, extensions: sent }
  }
  const problem = problemOf((error as { originalError?: unknown }).originalError ?? error, log)
  return { message: problem.message, ...location, extensions: extensionsOf(problem) }
}

/** Converts a formatted GraphQL error to a Problem. */
export function problemOfFormatted({ message, extensions }: GraphQLFormattedError): Problem {
  const { code, retryable: _, ...members } = extensions as { code: ProblemCode; retryable: boolean }
  return new Problem(code, { ...members, detail: message })
}

/** Adds the ID of the request, which a problem over REST also has, to the errors of a result. */
export function withRequestId<Result extends { errors?: readonly GraphQLFormattedError[] }>(
  result: Result,
  requestId: string,
): Result {
  if (!result.errors) return result
  const errors = result.errors.map(({ message, locations, path, extensions }) => ({
    message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: { ...extensions, requestId },
  }))
  return { ...result, errors }
}

/**
 * Wraps the formatted errors of a result in GraphQLError, which sockets and streams require, and adds
 * the ID of the request to them.
 */
export function withGraphQLErrors(
  { data, errors }: ExecutionResult,
  requestId: string,
): ExecutionResult {
  if (!errors) return { data }
  const wrapped = errors.map(
    ({ message, path, extensions }) =>
      new GraphQLError(message, { path, extensions: { ...extensions, requestId } }),
  )
  return { data, errors: wrapped }
}

/**
 * Whether GraphQL rejected a variable, an argument or the operation name. Such errors are
 * recognized by their text.
 */
function isInputError(error: unknown): boolean {
  const { name, message } = error as Error
  return name === 'GraphQLError' && /^(Variable|Argument|Expected|Unknown operation)/.test(message)
}

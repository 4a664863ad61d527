import { GraphQLError, type ExecutionResult, type GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { catalogue, Problem, type ProblemCode } from '../subgraphs/_kernel/domain/problem.ts'
import { extensionsOf, isRetryable, problemOf } from '../subgraphs/_kernel/graph/errors.ts'

/** Apollo's own codes, in our catalogue's words. */
const apolloCodes: Record<string, ProblemCode> = {
  GRAPHQL_PARSE_FAILED: 'GRAPHQL_PARSE_FAILED',
  GRAPHQL_VALIDATION_FAILED: 'GRAPHQL_VALIDATION_FAILED',
  BAD_USER_INPUT: 'VALIDATION_FAILED',
  OPERATION_RESOLUTION_FAILURE: 'GRAPHQL_VALIDATION_FAILED',
  BAD_REQUEST: 'BAD_REQUEST',
}

/** What never leaves the process, whoever put it there. */
const hidden = new Set(['serviceName', 'response', 'stacktrace', 'http', 'exception'])

/**
 * An error of the gateway as a client may see it. What carries one of our codes keeps its members;
 * everything else is masked as INTERNAL, with its text only in our log.
 */
export function maskError(error: unknown, log: Logger): GraphQLFormattedError {
  const { message, path, locations, extensions = {} } = error as GraphQLFormattedError
  const at = { ...(locations && { locations }), ...(path && { path }) }
  const code = (extensions['code'] as string | undefined) ?? ''
  if (Object.hasOwn(catalogue, code)) {
    const members = Object.entries(extensions).filter(([name]) => !hidden.has(name))
    return {
      message,
      ...at,
      extensions: { retryable: isRetryable(code as ProblemCode), ...Object.fromEntries(members) },
    }
  }
  const ours = apolloCodes[code]
  if (ours || isInputRefusal(error)) {
    const errors = [{ pointer: '', code: 'INVALID', detail: message }]
    return {
      message,
      ...at,
      extensions: { code: ours ?? 'VALIDATION_FAILED', retryable: false, errors },
    }
  }
  const problem = problemOf((error as { originalError?: unknown }).originalError ?? error, log)
  return { message: problem.message, ...at, extensions: extensionsOf(problem) }
}

/** The problem of the first error of an answer, for those who tell it as HTTP. */
export function problemOfFormatted({ message, extensions }: GraphQLFormattedError): Problem {
  const { code, retryable: _, ...members } = extensions as { code: ProblemCode; retryable: boolean }
  return new Problem(code, { ...members, detail: message })
}

/** Apollo Server, sockets and streams want errors of GraphQL's own class. */
export function withGraphQLErrors({ data, errors }: ExecutionResult): ExecutionResult {
  if (!errors) return { data }
  const wrapped = errors.map(
    ({ message, path, extensions }) => new GraphQLError(message, { path, extensions }),
  )
  return { data, errors: wrapped }
}

/** GraphQL's own refusal of a variable: it names the variable and wraps nothing of ours. */
function isInputRefusal(error: unknown): boolean {
  const { name, message } = error as Error
  return name === 'GraphQLError' && /^(Variable|Argument|Expected|Unknown operation)/.test(message)
}

import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors'

/** What the bank says about one value of a request. */
export interface Fault {
  /** Where the value is, as a JSON pointer into the variables, such as `/input/amount`. */
  pointer?: string
  code: string
  detail: string
}

/** An error, as people see it. */
export interface Problem {
  /** The code in the bank's catalog of problems; null if no answer of the bank arrived. */
  code: string | null
  message: string
  faults: readonly Fault[]
  /** Whether the same request may succeed later. */
  isRetryable: boolean
  /** The ID under which the bank's logs mention the request. */
  requestId: string | null
  /** Where a customer approves a payment before it is repeated. */
  approvalUrl: string | null
  /** The log-in that the operation requires (RFC 9470); null if the current one is enough. */
  stepUp: { acrValues: string; maxAge: string } | null
}

/** An answer of the bank outside the graph: a problem as RFC 9457 defines it. */
export class HttpProblem extends Error {
  readonly code: string
  readonly requestId: string | null

  constructor(code: string, message: string, requestId: string | null = null) {
    super(message)
    this.code = code
    this.requestId = requestId
  }
}

interface Extensions {
  acrValues?: readonly string[]
  maxAgeSeconds?: number
  code?: string
  retryable?: boolean
  errors?: readonly Fault[]
  requestId?: string
  approvalUrl?: string
}

/** Returns the problem in the body of an answer outside the graph (RFC 9457), if it is one. */
function rejectionIn(bodyText: string): { code?: string; detail?: string; retryable?: boolean } {
  try {
    const body = JSON.parse(bodyText) as Record<string, unknown>
    const { code, detail, retryable } = body
    return typeof code === 'string'
      ? { code, detail: String(detail), retryable: retryable === true }
      : {}
  } catch {
    return {}
  }
}

/** Returns what happened, whether the bank rejected the request or no answer arrived. */
export function problemOf(error: unknown): Problem {
  if (CombinedGraphQLErrors.is(error)) {
    const [{ message, extensions }] = error.errors as [(typeof error.errors)[number]]
    const { code, retryable, errors, requestId, approvalUrl, acrValues, maxAgeSeconds } =
      (extensions ?? {}) as Extensions
    return {
      code: code ?? null,
      message,
      faults: errors ?? [],
      isRetryable: retryable ?? false,
      requestId: requestId ?? null,
      approvalUrl: approvalUrl ?? null,
      stepUp: acrValues ? { acrValues: acrValues.join(' '), maxAge: String(maxAgeSeconds) } : null,
    }
  }
  const unanswered = { faults: [], isRetryable: true, approvalUrl: null, stepUp: null }
  if (error instanceof HttpProblem) {
    const { code, message, requestId } = error
    return { ...unanswered, code, message, requestId, isRetryable: false }
  }
  if (ServerError.is(error)) {
    const requestId = error.response.headers.get('x-request-id')
    const { code, detail, retryable } = rejectionIn(error.bodyText)
    const message = detail ?? `The bank answered with the status ${error.statusCode}.`
    // A proxy in front of the bank rejects what is too large before the bank sees it.
    const isTooLarge = code === undefined && error.statusCode === 413
    return {
      ...unanswered,
      code: isTooLarge ? 'PAYLOAD_TOO_LARGE' : (code ?? null),
      message: isTooLarge ? 'The request is too large. Shorten it, or send less at once.' : message,
      requestId,
      isRetryable: isTooLarge ? false : (retryable ?? true),
    }
  }
  const message =
    error instanceof TypeError
      ? 'The bank cannot be reached. Check the connection and try again.'
      : String((error as Error)?.message ?? error)
  return { ...unanswered, code: null, message, requestId: null }
}

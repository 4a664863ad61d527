import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors'
import { NoAnswer, SessionOver } from '../session/errors.ts'

/** What the bank says about one value of a request. */
export interface Fault {
  /** Where the value is, as a JSON pointer into the variables, such as `/input/amount`. */
  pointer?: string
  code: string
  detail: string
}

/** An error, as people see it. */
export interface Problem {
  /** What happened, in a few words. */
  title: string
  /** The code in the bank's catalog of problems; null if no problem of the bank arrived. */
  code: string | null
  message: string
  /** Whether the bank answered. If it did not, it may have executed the request all the same. */
  isAnswered: boolean
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

/** An answer outside the graph with a status that says that the request failed. */
export class HttpError extends Error {
  readonly status: number
  readonly body: string
  readonly requestId: string | null

  constructor(status: number, body: string, requestId: string | null) {
    super(`The answer has the status ${status}.`)
    this.status = status
    this.body = body
    this.requestId = requestId
  }
}

/** A reason for which the console itself does not send a request, or not use its answer. */
export class Obstacle extends Error {
  readonly title: string

  constructor(title: string, message: string) {
    super(message)
    this.title = title
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

/** Returns what happened: what the bank rejected, that no answer arrived, or what the console found. */
export function problemOf(error: unknown): Problem {
  if (CombinedGraphQLErrors.is(error)) return problemInGraph(error)
  if (ServerError.is(error)) {
    const { statusCode, bodyText, response } = error
    return problemInAnswer(statusCode, bodyText, response.headers.get('x-request-id'))
  }
  if (error instanceof HttpError) return problemInAnswer(error.status, error.body, error.requestId)
  if (error instanceof SessionOver)
    return { ...plain, title: titles['UNAUTHENTICATED']!, message: error.message, isAnswered: true }
  if (error instanceof Obstacle)
    return { ...plain, title: error.title, message: error.message, isAnswered: true }
  const message = String((error as Error)?.message ?? error)
  if (error instanceof NoAnswer) return { ...plain, message }
  if (ServerParseError.is(error)) return { ...plain, message: notOfTheBank }
  return { ...plain, title: 'A mistake in the console', message, isRetryable: false }
}

const plain: Omit<Problem, 'message'> = {
  title: 'No answer from the bank',
  code: null,
  isAnswered: false,
  faults: [],
  isRetryable: true,
  requestId: null,
  approvalUrl: null,
  stepUp: null,
}

const notOfTheBank =
  'Something else answered, such as the log-in page of a network. Check the connection and try again.'

function problemInGraph({ errors }: CombinedGraphQLErrors): Problem {
  const [{ message, extensions }] = errors as [(typeof errors)[number]]
  const answer = (extensions ?? {}) as Extensions
  const { code = null, retryable = false, approvalUrl = null, acrValues, maxAgeSeconds } = answer
  const stepUp = acrValues && { acrValues: acrValues.join(' '), maxAge: String(maxAgeSeconds) }
  return {
    title: titleOf(code, retryable, approvalUrl !== null, stepUp !== undefined),
    code,
    message,
    isAnswered: true,
    faults: answer.errors ?? [],
    isRetryable: retryable,
    requestId: answer.requestId ?? null,
    approvalUrl,
    stepUp: stepUp ?? null,
  }
}

/** Statuses of proxies in front of a bank that is not there, or that has no time. */
const passing = new Set([408, 429, 502, 503, 504])

function problemInAnswer(status: number, body: string, requestId: string | null): Problem {
  const { code, detail, retryable } = rejectionIn(body)
  if (code !== undefined) {
    const title = titleOf(code, retryable)
    return {
      ...plain,
      title,
      code,
      message: detail,
      isAnswered: true,
      isRetryable: retryable,
      requestId,
    }
  }
  // A proxy in front of the bank rejects what is too large before the bank sees it.
  if (status === 413) {
    const message = 'The request is too large. Shorten it, or send less at once.'
    return {
      ...plain,
      title: titles['PAYLOAD_TOO_LARGE']!,
      code: 'PAYLOAD_TOO_LARGE',
      message,
      isAnswered: true,
      isRetryable: false,
    }
  }
  const message = `The answer has the status ${status}, and does not come from the bank.`
  if (passing.has(status)) return { ...plain, message, requestId }
  return {
    ...plain,
    title: titles['INTERNAL']!,
    message,
    isAnswered: status < 500,
    isRetryable: false,
    requestId,
  }
}

/** Returns the problem in the body of an answer outside the graph (RFC 9457), if it is one. */
function rejectionIn(body: string): { code?: string; detail: string; retryable: boolean } {
  try {
    const { code, detail, title, retryable } = JSON.parse(body) as {
      code?: unknown
      detail?: string
      title?: string
      retryable?: unknown
    }
    const text = detail ?? title ?? ''
    return typeof code === 'string'
      ? { code, detail: text, retryable: retryable === true }
      : { detail: text, retryable: false }
  } catch {
    return { detail: '', retryable: false }
  }
}

export const isForbidden = ({ code }: Problem): boolean =>
  code !== null && titles[code] === forbidden

const forbidden = 'You may not see or do this'

/** The titles of problems that are no rejection of what the person wants. */
const titles: Readonly<Record<string, string>> = {
  FORBIDDEN: forbidden,
  INSUFFICIENT_SCOPE: forbidden,
  NOT_ENTITLED: forbidden,
  NOT_FOR_DELEGATED_USERS: forbidden,
  UNAUTHENTICATED: 'You are not logged in',
  TOKEN_INVALID: 'You are not logged in',
  TOKEN_EXPIRED: 'You are not logged in',
  PAYLOAD_TOO_LARGE: 'This is too large',
  RATE_LIMITED: 'Too many requests',
  INTERNAL: 'Something went wrong',
}

function titleOf(
  code: string | null,
  isRetryable: boolean,
  needsApproval = false,
  needsPasskey = false,
) {
  if (needsApproval) return 'This needs your approval'
  if (needsPasskey) return 'This needs your passkey'
  const title = code === null ? undefined : titles[code]
  return title ?? (isRetryable ? 'Not possible right now' : 'The bank rejected this')
}

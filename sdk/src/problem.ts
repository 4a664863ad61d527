import { problemCodes, type ProblemCode } from './problem-codes.generated.ts'

export type { ProblemCode }

/** An error of one member, parameter or header of a request. */
export interface ProblemError {
  /** The member of the body, as a JSON Pointer (RFC 6901), such as `/amount/currency`. */
  pointer?: string
  parameter?: string
  header?: string
  code: string
  detail: string
  resourceId?: string
  allowed?: string[]
}

/** The members of a problem (RFC 9457). */
export interface ProblemMembers {
  type?: string
  title: string
  status: number
  detail?: string
  code: string
  requestId?: string
  retryable: boolean
  errors?: ProblemError[]
  [member: string]: unknown
}

/**
 * The bank rejected a request. `code` says why; see `/problems` for all codes. New codes may be
 * added: handle an unknown code by its `status`.
 */
export class BankProblem extends Error {
  override readonly name = 'BankProblem'
  readonly code: ProblemCode | (string & {})
  readonly status: number
  /** Whether the same request can succeed later. The client has already retried it. */
  readonly isRetryable: boolean
  /** The ID of the request, to be quoted to support. */
  readonly requestId: string | null
  /** The errors by member, for forms. Empty if the problem concerns the request as a whole. */
  readonly errors: readonly ProblemError[]
  /** All members, including those of single codes, such as `scope` or `approvalUrl`. */
  readonly members: ProblemMembers
  /** After how many seconds to retry; null if the bank gave no time. */
  readonly retryAfterSeconds: number | null

  constructor(members: ProblemMembers, retryAfterSeconds: number | null = null) {
    super(members.detail ?? members.title)
    this.code = members.code
    this.status = members.status
    this.isRetryable = members.retryable
    this.requestId = members.requestId ?? null
    this.errors = members.errors ?? []
    this.members = members
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * The bank could not be reached, or did not answer in time. The outcome of the operation is unknown:
 * repeat the call with the same `idempotencyKey`.
 */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure'
  /** The key with which to repeat the call; null if the call changes nothing. */
  readonly idempotencyKey: string | null
  readonly attempts: number

  constructor(attempts: number, idempotencyKey: string | null, cause: unknown) {
    const times = attempts === 1 ? '1 attempt' : `${attempts} attempts`
    super(`The bank did not answer (${times}): ${reasonOf(cause)}`, { cause })
    this.idempotencyKey = idempotencyKey
    this.attempts = attempts
  }
}

/** Returns why a request failed: `fetch` hides the reason, such as ECONNREFUSED, in the cause. */
function reasonOf(error: unknown): string {
  const { message, code, cause } = error as Error & { code?: string }
  return cause instanceof Error ? reasonOf(cause) : message || (code ?? 'unknown reason')
}

/** An error of a GraphQL response. */
export interface GraphError {
  message: string
  path?: (string | number)[]
  extensions?: Record<string, unknown>
}

/** Returns the problem that a response describes, which is not a success. */
export function problemFrom(status: number, body: unknown, retryAfter: string | null): BankProblem {
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
  if (isProblem(body)) return new BankProblem(body, seconds)
  const [error] = (body as { errors?: GraphError[] } | null)?.errors ?? []
  return error ? problemOf(error, status, seconds) : unknownProblem(status, seconds)
}

/** Returns the problem that an error of the graph describes. */
export function problemOf(
  { message, path, extensions = {} }: GraphError,
  responseStatus = 500,
  retryAfterSeconds: number | null = null,
): BankProblem {
  const { code: known, status: sent } = extensions
  const code = typeof known === 'string' ? known : 'UNKNOWN'
  const statusOfCode = (problemCodes as Record<string, number>)[code] ?? responseStatus
  const members = {
    ...extensions,
    title: message,
    code,
    status: typeof sent === 'number' ? sent : statusOfCode,
    retryable: extensions['retryable'] === true,
    ...(path && { path }),
  }
  const seconds = extensions['retryAfterSeconds']
  return new BankProblem(members, typeof seconds === 'number' ? seconds : retryAfterSeconds)
}

function isProblem(body: unknown): body is ProblemMembers {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'string'
}

/** A proxy answered, not the bank. */
function unknownProblem(status: number, retryAfterSeconds: number | null): BankProblem {
  const title = `The server responded with the status ${status} and no problem.`
  const retryable = status === 429 || status >= 500
  return new BankProblem({ title, status, code: 'UNKNOWN', retryable }, retryAfterSeconds)
}

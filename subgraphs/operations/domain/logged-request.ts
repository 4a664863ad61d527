import type { ProblemCode } from '../../../kernel/domain/problem.ts'

/** A request of a client, as it was answered. */
export interface LoggedRequest {
  entryId: string
  at: Date
  clientId: string
  partyId: string | null
  subject: string
  method: string
  path: string
  operation: string
  status: number
  durationMs: number
  idempotencyKey: string | null
  requestId: string
  code: ProblemCode | null
  requestBody: string | null
  responseBody: string | null
}

/** The filter for logged requests. Filters that are null match all requests. */
export interface LoggedRequestFilter {
  clientId: string | null
  operation: string | null
  requestId: string | null
  idempotencyKey: string | null
  /** Whether the response is a problem. */
  isRejected: boolean | null
}

import type { ProblemCode } from '../../_kernel/domain/problem.ts'

/** Rejected requests that are alike, counted within one hour. */
export interface Refusal {
  refusalId: string
  clientId: string | null
  partyId: string | null
  subject: string | null
  operation: string
  code: ProblemCode
  resourceId: string | null
  isThere: boolean | null
  count: bigint
  firstAt: Date
  lastAt: Date
  requestId: string | null
}

/** The filter for rejected requests; null matches everything. */
export interface RefusalFilter {
  clientId: string | null
  partyId: string | null
  code: ProblemCode | null
  isThere: boolean | null
  since: Date | null
}

import type { ProblemCode } from '../../../kernel/domain/problem.ts'

/** Equal rejected requests within one hour, counted in one record. */
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

/** The filter for rejected requests. A field that is null matches everything. */
export interface RefusalFilter {
  clientId: string | null
  partyId: string | null
  code: ProblemCode | null
  isThere: boolean | null
  since: Date | null
}

import type { ProblemCode } from '../../_kernel/domain/problem.ts'

/** Attempts that were refused, alike in all but the moment, within an hour. */
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

/** null is any. */
export interface RefusalFilter {
  clientId: string | null
  partyId: string | null
  code: ProblemCode | null
  isThere: boolean | null
  since: Date | null
}

import { instant } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'

/** The argument of an approval that names the proposal that was reviewed. */
export const reviewedProposal = {
  proposedAt: instant(
    'The `proposedAt` of the proposal that was reviewed. The approval is rejected with ' +
      '`STATE_CONFLICT` if another proposal has replaced it since. If omitted, whatever is ' +
      'proposed now is approved.',
  ).orNull(),
}

/**
 * Checks that a proposal is the one that was reviewed, if the approval names one. Throws
 * STATE_CONFLICT.
 */
export function requireReviewed(proposedAt: Date, reviewed: Date | null, resourceId: string): void {
  if (reviewed === null || reviewed.getTime() === proposedAt.getTime()) return
  const detail = `The proposal for ${resourceId} was replaced after it was reviewed; review the new one.`
  throw new Problem('STATE_CONFLICT', { detail, resourceId })
}

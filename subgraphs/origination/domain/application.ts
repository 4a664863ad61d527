import { applicationStates, nothingReserved, type LoanApplication } from '../model/application.ts'
import { ApplicationStatus, type ClosureReason } from '../model/enumerations.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { facilityKindOf } from './published.ts'

/** The stage of the credit decision in each status. */
const decisionStage: Record<ApplicationStatus, 'draft' | 'pending' | 'decided'> = {
  draft: 'draft',
  submitted: 'pending',
  'in-review': 'pending',
  approved: 'decided',
  declined: 'decided',
  accepted: 'decided',
  booked: 'decided',
}

/** Whether the application was submitted and has not been decided. */
export function isPending({ status }: Pick<LoanApplication, 'status'>): boolean {
  return decisionStage[status] === 'pending'
}

export const decidedStatuses = ApplicationStatus.values.filter(
  (status) => decisionStage[status] === 'decided',
)

/** Returns the parties that own an application: its applicant. */
export function ownersOf({ partyId }: Pick<LoanApplication, 'partyId'>): string[] {
  return [partyId]
}

/**
 * Returns whether the application is for a loan rather than a business facility or a revolving
 * limit. An application that was never submitted has no product class and counts as one for a loan.
 */
export function isLoan({ productClass }: Pick<LoanApplication, 'productClass'>): boolean {
  if (productClass === null) return true
  const kind = facilityKindOf(productClass)
  return kind === 'CONSUMER_LOAN' || kind === 'MORTGAGE'
}

/** Returns the application with another status. Throws INVALID_STATE_TRANSITION. */
export function withStatus(
  application: LoanApplication,
  status: ApplicationStatus,
  transitions: Transitions<ApplicationStatus> = applicationStates.table,
): LoanApplication {
  assertTransition(transitions, application.status, status, application.applicationId)
  return { ...application, status }
}

/** Creates a problem that is caused by the status of the application. */
export function stateProblem(
  code: ProblemCode,
  { applicationId, status }: LoanApplication,
  detail: string,
): Problem {
  return new Problem(code, {
    detail,
    resourceId: applicationId,
    currentState: status,
    allowedStates: applicationStates.table[status],
  })
}

/**
 * Closes an application without a loan, and releases its slot and its reserved IDs. Throws
 * INVALID_STATE_TRANSITION.
 */
export function closedApplication(
  application: LoanApplication,
  closureReason: ClosureReason,
): LoanApplication {
  const declined = withStatus(application, 'declined')
  return { ...declined, ...nothingReserved, closureReason, closureNote: null }
}

/** Returns the application with the ID of its case, which is `newCaseId` if it has none yet. */
export function withCaseId(application: LoanApplication, newCaseId: string): LoanApplication {
  return { ...application, caseId: application.caseId ?? newCaseId }
}

/** Returns whether the approved terms or the counter-offer have expired without acceptance. */
export function hasExpired({ status, offerExpiresAt }: LoanApplication, now: Date): boolean {
  const hasOpenTerms = status === 'approved' || status === 'in-review'
  return hasOpenTerms && offerExpiresAt !== null && offerExpiresAt <= now
}

/** Records that the loan was set up. Throws INVALID_STATE_TRANSITION. */
export function bookedApplication(application: LoanApplication, now: Date): LoanApplication {
  const withBookedStatus = { ...withStatus(application, 'booked'), openSlot: null }
  return { ...withBookedStatus, bookedAt: now, bookingError: null, bookAfter: null }
}

/** Records why the loan could not be set up and when to retry. */
export function withBookingError(
  application: LoanApplication,
  bookingError: string,
  bookAfter: Date,
): LoanApplication {
  return { ...application, bookingError, bookAfter }
}

import type { Declaration, Check } from '../model/application.ts'
import type { Recommendation } from '../model/credit-policy.ts'
import type { Condition, Acceptance } from '../model/loan-terms.ts'
import { ApplicationStatus, type DecisionMode, type ClosureReason } from '../model/enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import { facilityKindOf } from './published.ts'
import type { Terms } from './terms.ts'

/** The allowed status changes. The specification defines the statuses but not the transitions. */
export const applicationTransitions: Transitions<ApplicationStatus> = {
  draft: ['submitted', 'declined'],
  submitted: ['in-review', 'approved', 'declined'],
  'in-review': ['approved', 'declined', 'submitted'],
  approved: ['accepted', 'declined'],
  declined: [],
  accepted: ['booked'],
  booked: [],
}

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

/**
 * A customer's application for credit. The names "credit application" and "consumer loan
 * application" mean the same record.
 */
export interface LoanApplication extends Versioned {
  applicationId: string
  customerId: string
  partyId: string
  status: ApplicationStatus
  decisionMode: DecisionMode
  /** The mode that was requested at creation. It takes precedence over the mode of the product. */
  requestedMode: DecisionMode | null
  quoteId: string | null
  productId: string | null
  /** The version that the quote names. Without a quote, it is set on submission. */
  productVersion: string | null
  /** The class of the product, set on submission; null before that. */
  productClass: string | null
  amountMinor: bigint | null
  currency: string | null
  termMonths: number | null
  purpose: string | null
  /** The net monthly income, in minor units of `currency`; null if not stated. */
  incomeMinor: bigint | null
  /** The monthly payments on other debts, in minor units of `currency`; null if not stated. */
  obligationsMinor: bigint | null
  employedMonths: number | null
  settlementArrangementId: string | null
  channel: string | null
  declarations: readonly Declaration[]
  documents: readonly string[]
  createdBy: string
  submittedBy: string | null
  submittedAt: Date | null
  submissionHash: string | null
  decisionDueBy: LocalDate | null
  checks: readonly Check[]
  /**
   * If the product limits the open applications of a customer, each of them occupies a slot,
   * numbered from 1 to the limit. Null if there is no limit, or if the application is not open.
   */
  openSlot: number | null
  /**
   * The information that the applicant must provide before the application is processed further;
   * null if none is requested.
   */
  informationRequested: string | null
  recommendation: Recommendation | null
  /** The number of recorded decisions. */
  decisions: number
  decisionId: string | null
  approvedTerms: Terms | null
  counterOffer: Terms | null
  approvedAt: Date | null
  termsHash: string | null
  /** When the approved terms or the counter-offer expire; null if there is nothing to accept. */
  offerExpiresAt: Date | null
  conditions: readonly Condition[]
  acceptances: readonly Acceptance[]
  coolingOffEndsOn: LocalDate | null
  /** The ID reserved for the facility (the loan) on approval. */
  facilityId: string | null
  agreementId: string | null
  caseId: string | null
  /** Whether the review case was opened. It remains true after the case is closed. */
  isCaseOpen: boolean
  isCaseClosed: boolean
  closureReason: ClosureReason | null
  closureNote: string | null
  /**
   * The problem code of the latest attempt to set up the loan if it failed; null otherwise.
   * `bookAfter` is the time of the next attempt.
   */
  bookingError: string | null
  bookAfter: Date | null
  bookedAt: Date | null
}

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
  transitions: Transitions<ApplicationStatus> = applicationTransitions,
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
    allowedStates: applicationTransitions[status],
  })
}

/** Closes an application without a loan, and releases its slot and its reserved IDs. */
export function closedApplication(
  application: LoanApplication,
  closureReason: ClosureReason,
  closureNote: string | null = null,
): LoanApplication {
  const declined = withStatus(application, 'declined')
  const noneReserved = { openSlot: null, offerExpiresAt: null, facilityId: null, agreementId: null }
  return { ...declined, ...noneReserved, closureReason, closureNote }
}

/**
 * Withdraws an application. Throws INVALID_STATE_TRANSITION if the terms were already accepted or
 * the application is already closed.
 */
export function withdrawnApplication(
  application: LoanApplication,
  note: string | null,
): LoanApplication {
  return closedApplication(application, 'withdrawn-by-customer', note)
}

/**
 * Moves an application into manual review; a worker then opens the case. Throws
 * INVALID_STATE_TRANSITION.
 */
export function applicationInReview(application: LoanApplication, caseId: string): LoanApplication {
  return {
    ...withStatus(application, 'in-review'),
    informationRequested: null,
    caseId: application.caseId ?? caseId,
  }
}

/**
 * Returns an application to the applicant for more information. Throws INVALID_STATE_TRANSITION
 * unless the application is in review.
 */
export function returnedApplication(
  application: LoanApplication,
  information: string,
): LoanApplication {
  const transitions = { ...applicationTransitions, draft: ['declined' as const] }
  const resubmittable = withStatus(application, 'submitted', transitions)
  const clearedFields = { recommendation: null, counterOffer: null, offerExpiresAt: null }
  return { ...resubmittable, ...clearedFields, informationRequested: information }
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

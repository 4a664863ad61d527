import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { facilityKindOf } from './published.ts'
import type { Recommendation } from './policy.ts'
import type { Terms } from './terms.ts'

export const applicationStatuses = [
  'draft',
  'submitted',
  'in-review',
  'approved',
  'declined',
  'accepted',
  'booked',
] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

/** The specification defines the states; the transitions are our decision. */
export const applicationMoves: Transitions<ApplicationStatus> = {
  draft: ['submitted', 'declined'],
  submitted: ['in-review', 'approved', 'declined'],
  'in-review': ['approved', 'declined', 'submitted'],
  approved: ['accepted', 'declined'],
  declined: [],
  accepted: ['booked'],
  booked: [],
}

export const decisionModes = ['automated', 'hybrid', 'manual'] as const
export type DecisionMode = (typeof decisionModes)[number]

/** Why an application was closed without a loan. */
export const closureReasons = [
  'credit-decision',
  'revoked',
  'withdrawn-by-customer',
  'expired',
] as const
export type ClosureReason = (typeof closureReasons)[number]

/** A statement made or consent given by the applicant. */
export interface Declaration {
  code: string
  accepted: boolean
}

/** A check made when the application was submitted. */
export interface Check {
  code: string
  status: 'passed' | 'not-needed'
}

export const conditionStatuses = ['open', 'fulfilled', 'waived'] as const
export type ConditionStatus = (typeof conditionStatuses)[number]

/** A condition that must be met before the terms can be accepted. */
export interface Condition {
  code: string
  description: string | null
  dueBy: LocalDate | null
  status: ConditionStatus
  by: string | null
  at: Date | null
  note: string | null
}

/** A customer's acceptance of the approved terms. */
export interface Acceptance {
  customerId: string
  acceptedAt: Date
  acceptanceChannel: string
  signatureReference: string | null
  /** The hash of the accepted terms. */
  termsHash: string
  recordedBy: string
  recordedAt: Date
}

/**
 * A customer's application for credit. "Credit application" and "consumer loan application" are the
 * same record.
 */
export interface LoanApplication extends Versioned {
  applicationId: string
  customerId: string
  partyId: string
  status: ApplicationStatus
  decisionMode: DecisionMode
  /** The mode given at creation, which takes precedence over that of the product. */
  modeAsked: DecisionMode | null
  quoteId: string | null
  productId: string | null
  /** Fixed on submission. */
  productVersion: string | null
  productClass: string | null
  amountMinor: bigint | null
  currency: string | null
  termMonths: number | null
  purpose: string | null
  /** Net monthly income, in minor units of the same currency. */
  incomeMinor: bigint | null
  /** Monthly payments on other debts, in minor units of the same currency. */
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
   * The slot among the open applications of the customer for the product; null when the product
   * sets no limit.
   */
  openSlot: number | null
  /**
   * The information that the applicant must provide before the application is processed further.
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
  /** When the approved terms or the counter-offer expire. */
  offerExpiresAt: Date | null
  conditions: readonly Condition[]
  acceptances: readonly Acceptance[]
  coolingOffEndsOn: LocalDate | null
  /** Reserved on approval: the id of the facility, which is the loan. */
  facilityId: string | null
  agreementId: string | null
  caseId: string | null
  isCaseOpen: boolean
  /** Whether the case has been closed. */
  isCaseClosed: boolean
  closureReason: ClosureReason | null
  closureNote: string | null
  /** Why the loan could not be set up; `bookAfter` is the time of the retry. */
  bookingRefusal: string | null
  bookAfter: Date | null
  bookedAt: Date | null
}

/** The parties an application belongs to. */
export function ownersOf({ partyId }: Pick<LoanApplication, 'partyId'>): string[] {
  return [partyId]
}

/** Whether the application is for a loan. An application without a product counts as one. */
export function isLoan({ productClass }: Pick<LoanApplication, 'productClass'>): boolean {
  if (productClass === null) return true
  const kind = facilityKindOf(productClass)
  return kind === 'CONSUMER_LOAN' || kind === 'MORTGAGE'
}

/** Moves an application to another state. Rejects with INVALID_STATE_TRANSITION. */
export function moved(
  application: LoanApplication,
  status: ApplicationStatus,
  moves: Transitions<ApplicationStatus> = applicationMoves,
): LoanApplication {
  requireMove(moves, application.status, status, application.applicationId)
  return { ...application, status }
}

/** A problem caused by the state of the application. */
export function inWrongState(
  code: ProblemCode,
  { applicationId, status }: LoanApplication,
  detail: string,
): Problem {
  return new Problem(code, {
    detail,
    resourceId: applicationId,
    currentState: status,
    allowedStates: applicationMoves[status],
  })
}

/** Closes an application without a loan and releases its slot and reserved ids. */
export function closed(
  application: LoanApplication,
  closureReason: ClosureReason,
  closureNote: string | null = null,
): LoanApplication {
  const declined = moved(application, 'declined')
  const freed = { openSlot: null, offerExpiresAt: null, facilityId: null, agreementId: null }
  return { ...declined, ...freed, closureReason, closureNote }
}

/** Withdraws an application. Rejects with INVALID_STATE_TRANSITION once the terms were accepted. */
export function withdrawn(application: LoanApplication, note: string | null): LoanApplication {
  return closed(application, 'withdrawn-by-customer', note)
}

/**
 * Moves an application into manual review, for which a case will be opened. Rejects with
 * INVALID_STATE_TRANSITION.
 */
export function inReview(application: LoanApplication, caseId: string): LoanApplication {
  return {
    ...moved(application, 'in-review'),
    informationRequested: null,
    caseId: application.caseId ?? caseId,
  }
}

/**
 * Returns an application to the applicant for more information. Rejects with
 * INVALID_STATE_TRANSITION.
 */
export function returned(application: LoanApplication, wanted: string): LoanApplication {
  const moves = { ...applicationMoves, draft: ['declined' as const] }
  const back = moved(application, 'submitted', moves)
  const again = { recommendation: null, counterOffer: null, offerExpiresAt: null }
  return { ...back, ...again, informationRequested: wanted }
}

/** Whether the open terms or the open counter-offer have expired. */
export function hasRunOut({ status, offerExpiresAt }: LoanApplication, now: Date): boolean {
  const isOpen = status === 'approved' || status === 'in-review'
  return isOpen && offerExpiresAt !== null && offerExpiresAt <= now
}

/** Records that the loan was set up. Rejects with INVALID_STATE_TRANSITION. */
export function booked(application: LoanApplication, now: Date): LoanApplication {
  const done = { ...moved(application, 'booked'), openSlot: null }
  return { ...done, bookedAt: now, bookingRefusal: null, bookAfter: null }
}

/** Records why the loan could not be set up and when to retry. */
export function bookingRefused(
  application: LoanApplication,
  bookingRefusal: string,
  bookAfter: Date,
): LoanApplication {
  return { ...application, bookingRefusal, bookAfter }
}

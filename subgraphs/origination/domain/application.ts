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

/** The specification names the states; the moves are ours. */
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

/** What the applicant states or agrees to. */
export interface Declaration {
  code: string
  accepted: boolean
}

/** What was looked at when an application was submitted. */
export interface Check {
  code: string
  status: 'passed' | 'not-needed'
}

export const conditionStatuses = ['open', 'fulfilled', 'waived'] as const
export type ConditionStatus = (typeof conditionStatuses)[number]

/** What has to be true before the terms can be accepted. */
export interface Condition {
  code: string
  description: string | null
  dueBy: LocalDate | null
  status: ConditionStatus
  by: string | null
  at: Date | null
  note: string | null
}

/** Who took the terms, over which channel, and what shows it. */
export interface Acceptance {
  customerId: string
  acceptedAt: Date
  acceptanceChannel: string
  signatureReference: string | null
  /** Of the terms that were taken. */
  termsHash: string
  recordedBy: string
  recordedAt: Date
}

/** What somebody asks to borrow: a credit application; of a consumer loan, a consumer loan application. */
export interface LoanApplication extends Versioned {
  applicationId: string
  customerId: string
  partyId: string
  status: ApplicationStatus
  decisionMode: DecisionMode
  /** What was asked for, whatever the product says. */
  modeAsked: DecisionMode | null
  quoteId: string | null
  productId: string | null
  /** Fixed when it is submitted. */
  productVersion: string | null
  productClass: string | null
  amountMinor: bigint | null
  currency: string | null
  termMonths: number | null
  purpose: string | null
  /** A month, after tax, in minor units of the same currency. */
  incomeMinor: bigint | null
  /** What is paid for other debts, a month. */
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
  /** Which of the open applications a customer may have for the product; null where there is no limit. */
  openSlot: number | null
  /** What the applicant has to bring before it is looked at again. */
  informationRequested: string | null
  recommendation: Recommendation | null
  /** How many decisions were recorded. */
  decisions: number
  decisionId: string | null
  approvedTerms: Terms | null
  counterOffer: Terms | null
  approvedAt: Date | null
  termsHash: string | null
  /** Until when terms, or a counter-offer, can be taken. */
  offerExpiresAt: Date | null
  conditions: readonly Condition[]
  acceptances: readonly Acceptance[]
  coolingOffEndsOn: LocalDate | null
  /** Reserved when it is approved: the facility, which is the loan. */
  facilityId: string | null
  agreementId: string | null
  caseId: string | null
  isCaseOpen: boolean
  /** The case has ended, with the application or before it. */
  isCaseClosed: boolean
  closureReason: ClosureReason | null
  closureNote: string | null
  /** Why the loan could not be made yet, and when it is tried again. */
  bookingRefusal: string | null
  bookAfter: Date | null
  bookedAt: Date | null
}

/** The parties an application belongs to. */
export function ownersOf({ partyId }: Pick<LoanApplication, 'partyId'>): string[] {
  return [partyId]
}

/** Whether it is for a loan; one that names no product yet may be. */
export function isLoan({ productClass }: Pick<LoanApplication, 'productClass'>): boolean {
  if (productClass === null) return true
  const kind = facilityKindOf(productClass)
  return kind === 'CONSUMER_LOAN' || kind === 'MORTGAGE'
}

/** An application in another state. Refuses with INVALID_STATE_TRANSITION. */
export function moved(
  application: LoanApplication,
  status: ApplicationStatus,
  moves: Transitions<ApplicationStatus> = applicationMoves,
): LoanApplication {
  requireMove(moves, application.status, status, application.applicationId)
  return { ...application, status }
}

/** A refusal because of the state an application is in. */
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

/** An application that is closed without a loan; what it held is free again. */
export function closed(
  application: LoanApplication,
  closureReason: ClosureReason,
  closureNote: string | null = null,
): LoanApplication {
  const declined = moved(application, 'declined')
  const freed = { openSlot: null, offerExpiresAt: null, facilityId: null, agreementId: null }
  return { ...declined, ...freed, closureReason, closureNote }
}

/** Ends an application for its applicant. Refuses with INVALID_STATE_TRANSITION once the terms were taken. */
export function withdrawn(application: LoanApplication, note: string | null): LoanApplication {
  return closed(application, 'withdrawn-by-customer', note)
}

/** Takes up an application by hand; a case is opened for it. Refuses with INVALID_STATE_TRANSITION. */
export function inReview(application: LoanApplication, caseId: string): LoanApplication {
  return {
    ...moved(application, 'in-review'),
    informationRequested: null,
    caseId: application.caseId ?? caseId,
  }
}

/** Sends an application back for what is missing. Refuses with INVALID_STATE_TRANSITION. */
export function returned(application: LoanApplication, wanted: string): LoanApplication {
  const moves = { ...applicationMoves, draft: ['declined' as const] }
  const back = moved(application, 'submitted', moves)
  const again = { recommendation: null, counterOffer: null, offerExpiresAt: null }
  return { ...back, ...again, informationRequested: wanted }
}

/** Whether terms or a counter-offer are open whose time is over. */
export function hasRunOut({ status, offerExpiresAt }: LoanApplication, now: Date): boolean {
  const isOpen = status === 'approved' || status === 'in-review'
  return isOpen && offerExpiresAt !== null && offerExpiresAt <= now
}

/** The loan is there. Refuses with INVALID_STATE_TRANSITION. */
export function booked(application: LoanApplication, now: Date): LoanApplication {
  const done = { ...moved(application, 'booked'), openSlot: null }
  return { ...done, bookedAt: now, bookingRefusal: null, bookAfter: null }
}

/** The loan could not be made: why, and when it is tried again. */
export function bookingRefused(
  application: LoanApplication,
  bookingRefusal: string,
  bookAfter: Date,
): LoanApplication {
  return { ...application, bookingRefusal, bookAfter }
}

import {
  addDays,
  addMs,
  dateOf,
  dayMs,
  minuteMs,
  type LocalDate,
} from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import {
  closed,
  inWrongState,
  isPending,
  withStatus,
  type ApplicationStatus,
  type Condition,
  type DecisionMode,
  type LoanApplication,
} from './application.ts'
import { readConditions, type DecisionRequest, type DecisionOutcome } from './decision-request.ts'
import type { Score } from './policy.ts'
import { readReasons, type Reason } from './reasons.ts'
import { fieldProblem } from './refusals.ts'
import { decisionDays } from './submission.ts'
import type { Terms } from './terms.ts'

/** A recorded decision on an application. It never changes. */
export interface CreditDecision {
  decisionId: string
  applicationId: string
  partyId: string
  /** The sequence number among the decisions of the application, starting at 1. */
  number: number
  outcome: DecisionOutcome
  decisionMode: DecisionMode
  /** The state of the application after the decision. */
  applicationStatus: ApplicationStatus
  reasons: readonly Reason[]
  conditions: readonly Condition[]
  approvedTerms: Terms | null
  score: Score | null
  policyVersion: string | null
  decidedBy: string
  decidedAt: Date
  recordedBy: string
  recordedAt: Date
  expiresAt: Date | null
  overrideOf: string | null
  comment: string | null
  adverseActionNoticeDueBy: LocalDate | null
  /** The ID reserved for the facility on approval. */
  facilityId: string | null
}

/** The inputs of a decision that do not come from the decider. */
export interface DecisionContext {
  /** The terms of an approval or a counter-offer; null otherwise. */
  terms: Terms | null
  termsHash: string | null
  /** When the quote of the terms expires; null if no quote is used. */
  quoteExpiresAt: Date | null
  /** The credit authority of the decider, in minor units; null if the decider has none. */
  authorityMinor: bigint | null
  /**
   * Whether the bank's own credit policy makes the decision. The policy needs no credit authority.
   */
  isOwnPolicy: boolean
  recordedBy: string
  ids: { decision: string; facility: string; agreement: string; case: string }
  now: Date
}

/** The default validity of an approval, in days. */
const defaultValidityDays = 30

/**
 * Checks that the application can be decided. A person can also decline an approved application,
 * which revokes the approval, until its terms are accepted.
 * Throws APPLICATION_NOT_SUBMITTED, APPLICATION_ALREADY_DECIDED.
 */
export function requireDecidable(application: LoanApplication, request: DecisionRequest): void {
  const { status, applicationId } = application
  if (isPending(application)) return
  if (status === 'draft') {
    const detail = `${applicationId} has not been submitted.`
    throw inWrongState('APPLICATION_NOT_SUBMITTED', application, detail)
  }
  const isRevocation = request.outcome === 'declined' && request.decisionMode === 'manual'
  if (status === 'approved' && isRevocation) return
  const detail = `${applicationId} is already ${status}.`
  throw inWrongState('APPLICATION_ALREADY_DECIDED', application, detail)
}

/**
 * Decides an application. Returns the changed application and the decision to record.
 * Throws what `requireDecidable` throws, and then, in this order, DECIDED_AT_IN_FUTURE,
 * INVALID_DATE_RANGE, POLICY_VERSION_REQUIRED, DECLINE_REASONS_REQUIRED, VALIDATION_FAILED
 * (conditions), SEGREGATION_OF_DUTIES, LIMIT_OF_AUTHORITY_EXCEEDED.
 */
export function decide(
  application: LoanApplication,
  request: DecisionRequest,
  stamp: DecisionContext,
): { application: LoanApplication; decision: CreditDecision } {
  requireDecidable(application, request)
  const { outcome, decisionMode } = request
  const { now } = stamp
  const decidedAt = decidedAtOf(application, request, now)
  if (decisionMode === 'automated' && request.policyVersion === null) {
    const detail = 'An automated decision must name the version of the policy it follows.'
    throw fieldProblem('POLICY_VERSION_REQUIRED', '/policyVersion', detail)
  }
  const isAdverse = outcome === 'declined' || outcome === 'counter-offer'
  const reasons = readReasons(request.reasons, isAdverse)
  const conditions = readConditions(request)
  // An automated decision of an external client also needs the credit authority of its decider.
  if (!stamp.isOwnPolicy) requireAuthority(application, request, stamp)
  const expiresAt = stamp.terms && expiryOf(request, stamp, decidedAt)
  const after = outcomeOf(application, outcome, { ...stamp, decidedAt, expiresAt, conditions })
  const decision: CreditDecision = {
    decisionId: stamp.ids.decision,
    applicationId: application.applicationId,
    partyId: application.partyId,
    number: application.decisions + 1,
    outcome,
    decisionMode,
    applicationStatus: after.status,
    reasons,
    conditions,
    approvedTerms: stamp.terms,
    score: request.score,
    policyVersion: request.policyVersion,
    decidedBy: request.decidedBy,
    decidedAt,
    recordedBy: stamp.recordedBy,
    recordedAt: now,
    expiresAt,
    overrideOf: request.overrideOf,
    comment: request.comment,
    adverseActionNoticeDueBy: isAdverse ? noticeDueBy(application, decidedAt) : null,
    facilityId: after.facilityId,
  }
  const { decisionId, number: decisions } = decision
  return { application: { ...after, decisionId, decisions, decisionMode }, decision }
}

interface Effect extends DecisionContext {
  decidedAt: Date
  expiresAt: Date | null
  conditions: readonly Condition[]
}

function outcomeOf(
  application: LoanApplication,
  outcome: DecisionOutcome,
  effect: Effect,
): LoanApplication {
  const cleared = { ...application, informationRequested: null, counterOffer: null }
  switch (outcome) {
    case 'approved':
      return approved(cleared, effect)
    case 'declined':
      return closed(cleared, application.status === 'approved' ? 'revoked' : 'credit-decision')
    case 'referred':
      return { ...underReview(cleared, effect), offerExpiresAt: null }
    case 'counter-offer':
      return {
        ...underReview(cleared, effect),
        counterOffer: effect.terms,
        termsHash: effect.termsHash,
        offerExpiresAt: effect.expiresAt,
        conditions: effect.conditions,
      }
  }
}

function approved(application: LoanApplication, effect: Effect): LoanApplication {
  return {
    ...withStatus(application, 'approved'),
    approvedTerms: effect.terms,
    termsHash: effect.termsHash,
    approvedAt: effect.decidedAt,
    offerExpiresAt: effect.expiresAt,
    conditions: effect.conditions,
    facilityId: application.facilityId ?? effect.ids.facility,
    agreementId: application.agreementId ?? effect.ids.agreement,
  }
}

/** Moves an application into review unless it is already in review. */
function underReview(application: LoanApplication, { ids }: Effect): LoanApplication {
  const caseId = application.caseId ?? ids.case
  if (application.status === 'in-review') return { ...application, caseId }
  return { ...withStatus(application, 'in-review'), caseId }
}

/**
 * Returns the time of the decision. It must be neither in the future nor before the submission; the
 * latter is compared in whole seconds.
 * Throws DECIDED_AT_IN_FUTURE, INVALID_DATE_RANGE.
 */
function decidedAtOf(
  { submittedAt }: LoanApplication,
  { decidedAt }: DecisionRequest,
  now: Date,
): Date {
  if (decidedAt === null) return now
  if (decidedAt > addMs(now, minuteMs)) {
    throw fieldProblem(
      'DECIDED_AT_IN_FUTURE',
      '/decidedAt',
      'The time of the decision must not be in the future.',
    )
  }
  if (submittedAt !== null && decidedAt < truncatedToSecond(submittedAt)) {
    const detail = `The application was submitted at ${submittedAt.toISOString()}; the decision cannot be earlier.`
    throw fieldProblem('INVALID_DATE_RANGE', '/decidedAt', detail)
  }
  return decidedAt
}

/**
 * Truncates an instant to whole seconds, so that a caller who sends whole seconds is not rejected
 * as too early.
 */
export function truncatedToSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

/**
 * Returns when the terms expire, which is never later than their quote. Throws INVALID_DATE_RANGE.
 */
function expiryOf({ expiresAt }: DecisionRequest, stamp: DecisionContext, decidedAt: Date): Date {
  const request = expiresAt ?? addMs(decidedAt, defaultValidityDays * dayMs)
  if (request <= stamp.now) {
    throw fieldProblem(
      'INVALID_DATE_RANGE',
      '/expiresAt',
      `The expiry must be after ${stamp.now.toISOString()}.`,
    )
  }
  const { quoteExpiresAt } = stamp
  return quoteExpiresAt !== null && quoteExpiresAt < request ? quoteExpiresAt : request
}

/**
 * Checks that the decider is neither the submitter nor the applicant and has sufficient credit
 * authority. Throws SEGREGATION_OF_DUTIES, LIMIT_OF_AUTHORITY_EXCEEDED.
 */
function requireAuthority(
  application: LoanApplication,
  { decidedBy }: DecisionRequest,
  { terms, authorityMinor }: DecisionContext,
): void {
  const { applicationId: resourceId, submittedBy, partyId, customerId } = application
  if ([submittedBy, partyId, customerId].includes(decidedBy)) {
    const detail = `${decidedBy} is the applicant or submitted the application, and cannot decide on it.`
    throw new Problem('SEGREGATION_OF_DUTIES', { detail, resourceId })
  }
  if (terms === null || (authorityMinor !== null && terms.amountMinor <= authorityMinor)) return
  const { currency } = terms
  const detail =
    authorityMinor === null
      ? `${decidedBy} has no credit authority in ${currency}.`
      : `${decidedBy} may approve up to ${formatAmount(authorityMinor, currency)} ${currency}; the approval needs ${formatAmount(terms.amountMinor, currency)} ${currency}.`
  throw new Problem('LIMIT_OF_AUTHORITY_EXCEEDED', { detail, resourceId })
}

/**
 * Returns the due date of the adverse action notice: 30 days after the application was received, or
 * after an approval was revoked. Source: 12 CFR 1002.9(a)(1)(i) and (iii).
 */
function noticeDueBy({ status, submittedAt }: LoanApplication, decidedAt: Date): LocalDate {
  const periodStart = status === 'approved' ? decidedAt : (submittedAt ?? decidedAt)
  return addDays(dateOf(periodStart), decisionDays)
}

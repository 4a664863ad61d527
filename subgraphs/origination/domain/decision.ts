import type { LoanApplication } from '../model/application.ts'
import type { CreditDecision } from '../model/decision.ts'
import type { Condition } from '../model/loan-terms.ts'
import type { DecisionOutcome } from '../model/enumerations.ts'
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
  closedApplication,
  stateProblem,
  isPending,
  withCaseId,
  withStatus,
} from './application.ts'
import { readConditions, type DecisionRequest } from './decision-request.ts'
import { readReasons } from './reasons.ts'
import { fieldProblem } from './refusals.ts'
import { decisionDays } from './submission.ts'
import type { Terms } from './terms.ts'

/** What a decision needs besides the request: data that was read, new IDs and the time. */
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
    throw stateProblem('APPLICATION_NOT_SUBMITTED', application, detail)
  }
  const isRevocation = request.outcome === 'declined' && request.decisionMode === 'manual'
  if (status === 'approved' && isRevocation) return
  const detail = `${applicationId} is already ${status}.`
  throw stateProblem('APPLICATION_ALREADY_DECIDED', application, detail)
}

/**
 * Decides an application. Returns the changed application and the decision to record.
 * Throws what `requireDecidable` throws, and then, in this order, DECIDED_AT_IN_FUTURE,
 * INVALID_DATE_RANGE (`decidedAt`), POLICY_VERSION_REQUIRED, DECLINE_REASONS_REQUIRED,
 * VALIDATION_FAILED (`conditions`), SEGREGATION_OF_DUTIES, LIMIT_OF_AUTHORITY_EXCEEDED,
 * INVALID_DATE_RANGE (`expiresAt`).
 */
export function decide(
  application: LoanApplication,
  request: DecisionRequest,
  context: DecisionContext,
): { application: LoanApplication; decision: CreditDecision } {
  requireDecidable(application, request)
  const { outcome, decisionMode } = request
  const { now } = context
  const decidedAt = decidedAtOf(application, request, now)
  if (decisionMode === 'automated' && request.policyVersion === null) {
    const detail = 'An automated decision must name the version of the policy it follows.'
    throw fieldProblem('POLICY_VERSION_REQUIRED', '/policyVersion', detail)
  }
  const isAdverse = outcome === 'declined' || outcome === 'counter-offer'
  const reasons = readReasons(request.reasons, isAdverse)
  const conditions = readConditions(request)
  // An automated decision of an external client also needs the credit authority of its decider.
  if (!context.isOwnPolicy) requireAuthority(application, request, context)
  const expiresAt = context.terms && expiryOf(request, context, decidedAt)
  const after = applyOutcome(application, outcome, { ...context, decidedAt, expiresAt, conditions })
  const decision: CreditDecision = {
    decisionId: context.ids.decision,
    applicationId: application.applicationId,
    partyId: application.partyId,
    number: application.decisions + 1,
    outcome,
    decisionMode,
    applicationStatus: after.status,
    reasons,
    conditions,
    approvedTerms: context.terms,
    score: request.score,
    policyVersion: request.policyVersion,
    decidedBy: request.decidedBy,
    decidedAt,
    recordedBy: context.recordedBy,
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

interface DecisionDetails extends DecisionContext {
  decidedAt: Date
  expiresAt: Date | null
  conditions: readonly Condition[]
}

function applyOutcome(
  application: LoanApplication,
  outcome: DecisionOutcome,
  details: DecisionDetails,
): LoanApplication {
  const clearedApplication = { ...application, informationRequested: null, counterOffer: null }
  switch (outcome) {
    case 'approved':
      return approvedApplication(clearedApplication, details)
    case 'declined':
      return closedApplication(
        clearedApplication,
        application.status === 'approved' ? 'revoked' : 'credit-decision',
      )
    case 'referred':
      return { ...underReview(clearedApplication, details), offerExpiresAt: null }
    case 'counter-offer':
      return {
        ...underReview(clearedApplication, details),
        counterOffer: details.terms,
        termsHash: details.termsHash,
        offerExpiresAt: details.expiresAt,
        conditions: details.conditions,
      }
  }
}

function approvedApplication(
  application: LoanApplication,
  details: DecisionDetails,
): LoanApplication {
  return {
    ...withStatus(application, 'approved'),
    approvedTerms: details.terms,
    termsHash: details.termsHash,
    approvedAt: details.decidedAt,
    offerExpiresAt: details.expiresAt,
    conditions: details.conditions,
    facilityId: application.facilityId ?? details.ids.facility,
    agreementId: application.agreementId ?? details.ids.agreement,
  }
}

/** Moves an application into review unless it is already in review. */
function underReview(application: LoanApplication, { ids }: DecisionDetails): LoanApplication {
  const isInReview = application.status === 'in-review'
  return withCaseId(isInReview ? application : withStatus(application, 'in-review'), ids.case)
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
 * Returns when the terms expire, which is never later than the expiry of their quote. Throws
 * INVALID_DATE_RANGE.
 */
function expiryOf({ expiresAt }: DecisionRequest, context: DecisionContext, decidedAt: Date): Date {
  const requestedExpiry = expiresAt ?? addMs(decidedAt, defaultValidityDays * dayMs)
  if (requestedExpiry <= context.now) {
    throw fieldProblem(
      'INVALID_DATE_RANGE',
      '/expiresAt',
      `The expiry must be after ${context.now.toISOString()}.`,
    )
  }
  const { quoteExpiresAt } = context
  return quoteExpiresAt !== null && quoteExpiresAt < requestedExpiry
    ? quoteExpiresAt
    : requestedExpiry
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

import {
  addDays,
  addMs,
  dateOf,
  dayMs,
  minuteMs,
  type LocalDate,
} from '../../_kernel/domain/dates.ts'
import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import {
  closed,
  inWrongState,
  moved,
  type ApplicationStatus,
  type Condition,
  type DecisionMode,
  type LoanApplication,
} from './application.ts'
import { readConditions, type DecisionAsked, type DecisionOutcome } from './decision-asked.ts'
import type { Score } from './policy.ts'
import { readReasons, type Reason } from './reasons.ts'
import { refuse } from './refusals.ts'
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
  /** The id reserved for the facility on approval. */
  facilityId: string | null
}

/** The inputs of a decision that do not come from the decider. */
export interface DecisionMade {
  /** The terms of an approval or a counter-offer; null otherwise. */
  terms: Terms | null
  termsHash: string | null
  /** When the quote of the terms expires; null without a quote. */
  quoteExpiresAt: Date | null
  /** The credit authority of the decider, in minor units; null without one. */
  authorityMinor: bigint | null
  /** Whether the bank's own credit policy decides, which needs no authority. */
  isOwnPolicy: boolean
  recordedBy: string
  ids: { decision: string; facility: string; agreement: string; case: string }
  now: Date
}

/** The default validity of an approval, in days. */
const offerDays = 30

/**
 * Checks that the application can be decided. A person can revoke an approval until its terms are
 * accepted. Rejects with APPLICATION_NOT_SUBMITTED, APPLICATION_ALREADY_DECIDED.
 */
export function requireDecidable(application: LoanApplication, asked: DecisionAsked): void {
  const { status, applicationId } = application
  if (status === 'submitted' || status === 'in-review') return
  if (status === 'draft') {
    const detail = `${applicationId} has not been submitted.`
    throw inWrongState('APPLICATION_NOT_SUBMITTED', application, detail)
  }
  const isRevocation = asked.outcome === 'declined' && asked.decisionMode === 'manual'
  if (status === 'approved' && isRevocation) return
  const detail = `${applicationId} is already ${status}.`
  throw inWrongState('APPLICATION_ALREADY_DECIDED', application, detail)
}

/**
 * Decides an application: returns the changed application and the decision to record.
 * Rejects, after requireDecidable, with DECIDED_AT_IN_FUTURE, INVALID_DATE_RANGE,
 * POLICY_VERSION_REQUIRED, DECLINE_REASONS_REQUIRED, VALIDATION_FAILED (conditions),
 * SEGREGATION_OF_DUTIES, LIMIT_OF_AUTHORITY_EXCEEDED.
 */
export function decide(
  application: LoanApplication,
  asked: DecisionAsked,
  made: DecisionMade,
): { application: LoanApplication; decision: CreditDecision } {
  requireDecidable(application, asked)
  const { outcome, decisionMode } = asked
  const { now } = made
  const decidedAt = decidedAtOf(application, asked, now)
  if (decisionMode === 'automated' && asked.policyVersion === null) {
    const detail = 'An automated decision must name the version of the policy it follows.'
    throw refuse('POLICY_VERSION_REQUIRED', '/policyVersion', detail)
  }
  const isAdverse = outcome === 'declined' || outcome === 'counter-offer'
  const reasons = readReasons(asked.reasons, isAdverse)
  const conditions = readConditions(asked)
  // An automated decision of an external client is also bound by the authority of its decider.
  if (!made.isOwnPolicy) requireAuthority(application, asked, made)
  const expiresAt = made.terms && expiryOf(asked, made, decidedAt)
  const after = outcomeOf(application, outcome, { ...made, decidedAt, expiresAt, conditions })
  const decision: CreditDecision = {
    decisionId: made.ids.decision,
    applicationId: application.applicationId,
    partyId: application.partyId,
    number: application.decisions + 1,
    outcome,
    decisionMode,
    applicationStatus: after.status,
    reasons,
    conditions,
    approvedTerms: made.terms,
    score: asked.score,
    policyVersion: asked.policyVersion,
    decidedBy: asked.decidedBy,
    decidedAt,
    recordedBy: made.recordedBy,
    recordedAt: now,
    expiresAt,
    overrideOf: asked.overrideOf,
    comment: asked.comment,
    adverseActionNoticeDueBy: isAdverse ? noticeDueBy(application, decidedAt) : null,
    facilityId: after.facilityId,
  }
  const { decisionId, number: decisions } = decision
  return { application: { ...after, decisionId, decisions, decisionMode }, decision }
}

interface Effect extends DecisionMade {
  decidedAt: Date
  expiresAt: Date | null
  conditions: readonly Condition[]
}

function outcomeOf(
  application: LoanApplication,
  outcome: DecisionOutcome,
  effect: Effect,
): LoanApplication {
  const looked = { ...application, informationRequested: null, counterOffer: null }
  switch (outcome) {
    case 'approved':
      return approved(looked, effect)
    case 'declined':
      return closed(looked, application.status === 'approved' ? 'revoked' : 'credit-decision')
    case 'referred':
      return { ...underReview(looked, effect), offerExpiresAt: null }
    case 'counter-offer':
      return {
        ...underReview(looked, effect),
        counterOffer: effect.terms,
        termsHash: effect.termsHash,
        offerExpiresAt: effect.expiresAt,
        conditions: effect.conditions,
      }
  }
}

function approved(application: LoanApplication, effect: Effect): LoanApplication {
  return {
    ...moved(application, 'approved'),
    approvedTerms: effect.terms,
    termsHash: effect.termsHash,
    approvedAt: effect.decidedAt,
    offerExpiresAt: effect.expiresAt,
    conditions: effect.conditions,
    facilityId: application.facilityId ?? effect.ids.facility,
    agreementId: application.agreementId ?? effect.ids.agreement,
  }
}

/** Moves an application into review unless it is there already. */
function underReview(application: LoanApplication, { ids }: Effect): LoanApplication {
  const caseId = application.caseId ?? ids.case
  if (application.status === 'in-review') return { ...application, caseId }
  return { ...moved(application, 'in-review'), caseId }
}

/**
 * Checks that the decision is not in the future and not before the submission, compared to the
 * second.
 */
function decidedAtOf(
  { submittedAt }: LoanApplication,
  { decidedAt }: DecisionAsked,
  now: Date,
): Date {
  if (decidedAt === null) return now
  if (decidedAt > addMs(now, minuteMs)) {
    throw refuse(
      'DECIDED_AT_IN_FUTURE',
      '/decidedAt',
      'The time of the decision must not be in the future.',
    )
  }
  if (submittedAt !== null && decidedAt < wholeSecond(submittedAt)) {
    const detail = `The application was submitted at ${submittedAt.toISOString()}; the decision cannot be earlier.`
    throw refuse('INVALID_DATE_RANGE', '/decidedAt', detail)
  }
  return decidedAt
}

/** Truncates to the second, so that callers with second precision are not early. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

/** The expiry of the terms, never later than that of their quote. */
function expiryOf({ expiresAt }: DecisionAsked, made: DecisionMade, decidedAt: Date): Date {
  const asked = expiresAt ?? addMs(decidedAt, offerDays * dayMs)
  if (asked <= made.now) {
    throw refuse(
      'INVALID_DATE_RANGE',
      '/expiresAt',
      `The expiry must be after ${made.now.toISOString()}.`,
    )
  }
  const { quoteExpiresAt } = made
  return quoteExpiresAt !== null && quoteExpiresAt < asked ? quoteExpiresAt : asked
}

/**
 * Checks that the decider is neither submitter nor applicant and has sufficient credit authority.
 */
function requireAuthority(
  application: LoanApplication,
  { decidedBy }: DecisionAsked,
  { terms, authorityMinor }: DecisionMade,
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
 * The due date of the adverse action notice: 30 days after the application was received, or after
 * an approval was revoked. 12 CFR 1002.9(a)(1)(i) and (iii).
 */
function noticeDueBy({ status, submittedAt }: LoanApplication, decidedAt: Date): LocalDate {
  const from = status === 'approved' ? decidedAt : (submittedAt ?? decidedAt)
  return addDays(dateOf(from), decisionDays)
}

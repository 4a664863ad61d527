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

/** One decision on an application, as it was recorded; never changed. */
export interface CreditDecision {
  decisionId: string
  applicationId: string
  partyId: string
  /** The decisions of an application count from 1. */
  number: number
  outcome: DecisionOutcome
  decisionMode: DecisionMode
  /** Where the application stood after it. */
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
  /** Reserved for the loan of an approval. */
  facilityId: string | null
}

/** What a decision is made of beside what the decider says. */
export interface DecisionMade {
  /** Of an approval or a counter-offer. */
  terms: Terms | null
  termsHash: string | null
  /** When the price of the terms is no longer good. */
  quoteExpiresAt: Date | null
  /** Up to how much the decider may decide, in minor units; null when nobody granted them anything. */
  authorityMinor: bigint | null
  /** Whether the bank's own credit policy decides, and no person or client from outside. */
  isOwnPolicy: boolean
  recordedBy: string
  ids: { decision: string; facility: string; agreement: string; case: string }
  now: Date
}

/** How long an approval can be taken when nothing else is said. */
const offerDays = 30

/**
 * Promises that the application waits for this decision. An approval can be revoked until its terms
 * were taken, by a person. Refuses with APPLICATION_NOT_SUBMITTED, APPLICATION_ALREADY_DECIDED.
 */
export function requireDecidable(application: LoanApplication, asked: DecisionAsked): void {
  const { status, applicationId } = application
  if (status === 'submitted' || status === 'in-review') return
  if (status === 'draft') {
    const detail = `${applicationId} was not submitted yet.`
    throw inWrongState('APPLICATION_NOT_SUBMITTED', application, detail)
  }
  const isRevocation = asked.outcome === 'declined' && asked.decisionMode === 'manual'
  if (status === 'approved' && isRevocation) return
  const detail = `${applicationId} is ${status}.`
  throw inWrongState('APPLICATION_ALREADY_DECIDED', application, detail)
}

/**
 * Records a decision: what becomes of the application, and the record that stays.
 * Refuses, after requireDecidable, with DECIDED_AT_IN_FUTURE, INVALID_DATE_RANGE, POLICY_VERSION_REQUIRED,
 * DECLINE_REASONS_REQUIRED, VALIDATION_FAILED (conditions), SEGREGATION_OF_DUTIES, LIMIT_OF_AUTHORITY_EXCEEDED.
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
    const detail = 'An automated decision names the policy it follows.'
    throw refuse('POLICY_VERSION_REQUIRED', '/policyVersion', detail)
  }
  const isAdverse = outcome === 'declined' || outcome === 'counter-offer'
  const reasons = readReasons(asked.reasons, isAdverse)
  const conditions = readConditions(asked)
  // A client that calls its decision automated is bound by the limits of its decider as well.
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

/** An application that is looked at already stays where it is. */
function underReview(application: LoanApplication, { ids }: Effect): LoanApplication {
  const caseId = application.caseId ?? ids.case
  if (application.status === 'in-review') return { ...application, caseId }
  return { ...moved(application, 'in-review'), caseId }
}

/** Not after now, and not before the application was submitted, to the second. */
function decidedAtOf(
  { submittedAt }: LoanApplication,
  { decidedAt }: DecisionAsked,
  now: Date,
): Date {
  if (decidedAt === null) return now
  if (decidedAt > addMs(now, minuteMs)) {
    throw refuse('DECIDED_AT_IN_FUTURE', '/decidedAt', 'Not after now.')
  }
  if (submittedAt !== null && decidedAt < wholeSecond(submittedAt)) {
    const detail = `The application was submitted at ${submittedAt.toISOString()}.`
    throw refuse('INVALID_DATE_RANGE', '/decidedAt', detail)
  }
  return decidedAt
}

/** The second an instant is in: callers that count in seconds are not early. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000)
}

/** Until when the terms can be taken: never longer than the price in them is good. */
function expiryOf({ expiresAt }: DecisionAsked, made: DecisionMade, decidedAt: Date): Date {
  const asked = expiresAt ?? addMs(decidedAt, offerDays * dayMs)
  if (asked <= made.now) {
    throw refuse('INVALID_DATE_RANGE', '/expiresAt', `After ${made.now.toISOString()}.`)
  }
  const { quoteExpiresAt } = made
  return quoteExpiresAt !== null && quoteExpiresAt < asked ? quoteExpiresAt : asked
}

/** Somebody else than the submitter and the applicant, and within what they may decide. */
function requireAuthority(
  application: LoanApplication,
  { decidedBy }: DecisionAsked,
  { terms, authorityMinor }: DecisionMade,
): void {
  const { applicationId: resourceId, submittedBy, partyId, customerId } = application
  if ([submittedBy, partyId, customerId].includes(decidedBy)) {
    const detail = `${decidedBy} has a part in the application.`
    throw new Problem('SEGREGATION_OF_DUTIES', { detail, resourceId })
  }
  if (terms === null || (authorityMinor !== null && terms.amountMinor <= authorityMinor)) return
  const { currency } = terms
  const detail =
    authorityMinor === null
      ? `${decidedBy} was granted no credit authority in ${currency}.`
      : `${decidedBy} decides up to ${formatAmount(authorityMinor, currency)} ${currency}.`
  throw new Problem('LIMIT_OF_AUTHORITY_EXCEEDED', { detail, resourceId })
}

/**
 * By when the applicant is told of it: 30 days after the application was received, or after an
 * approval was revoked. 12 CFR 1002.9(a)(1)(i) and (iii).
 */
function noticeDueBy({ status, submittedAt }: LoanApplication, decidedAt: Date): LocalDate {
  const from = status === 'approved' ? decidedAt : (submittedAt ?? decidedAt)
  return addDays(dateOf(from), decisionDays)
}

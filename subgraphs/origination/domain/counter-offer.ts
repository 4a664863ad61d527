import type { LoanApplication } from '../model/application.ts'
import type { CreditDecision } from '../model/decision.ts'
import { stateProblem, withStatus } from './application.ts'
import type { Terms } from './terms.ts'

/** Returns the terms of the open counter-offer. Throws NO_COUNTER_OFFER, OFFER_EXPIRED. */
export function requireCounterOffer(application: LoanApplication, now: Date): Terms {
  const { counterOffer, offerExpiresAt, status, applicationId } = application
  if (status !== 'in-review' || counterOffer === null) {
    const detail = `${applicationId} has no open counter-offer.`
    throw stateProblem('NO_COUNTER_OFFER', application, detail)
  }
  if (offerExpiresAt !== null && offerExpiresAt > now) return counterOffer
  const detail = `The counter-offer expired at ${offerExpiresAt?.toISOString()}.`
  throw stateProblem('OFFER_EXPIRED', application, detail)
}

/**
 * Approves an application on the terms of its accepted counter-offer. The new decision overrides
 * the one that made the counter-offer.
 */
export function approvedByCounterOffer(
  application: LoanApplication,
  counterOfferDecision: CreditDecision,
  stamp: {
    decisionId: string
    facilityId: string
    agreementId: string
    recordedBy: string
    now: Date
  },
): { application: LoanApplication; decision: CreditDecision } {
  const { now } = stamp
  const terms = requireCounterOffer(application, now)
  const facilityId = application.facilityId ?? stamp.facilityId
  const decision: CreditDecision = {
    ...counterOfferDecision,
    decisionId: stamp.decisionId,
    number: application.decisions + 1,
    outcome: 'approved',
    applicationStatus: 'approved',
    approvedTerms: terms,
    decidedAt: now,
    recordedBy: stamp.recordedBy,
    recordedAt: now,
    overrideOf: counterOfferDecision.decisionId,
    comment: null,
    adverseActionNoticeDueBy: null,
    facilityId,
  }
  const after: LoanApplication = {
    ...withStatus(application, 'approved'),
    counterOffer: null,
    approvedTerms: terms,
    approvedAt: now,
    facilityId,
    agreementId: application.agreementId ?? stamp.agreementId,
    decisionId: stamp.decisionId,
    decisions: decision.number,
  }
  return { application: after, decision }
}

import { inWrongState, moved, type LoanApplication } from './application.ts'
import type { CreditDecision } from './decision.ts'
import type { Terms } from './terms.ts'

/**
 * The terms of the open counter-offer.
 * Rejects with NO_COUNTER_OFFER, OFFER_EXPIRED.
 */
export function requireCounterOffer(application: LoanApplication, now: Date): Terms {
  const { counterOffer, offerExpiresAt, status, applicationId } = application
  if (status !== 'in-review' || counterOffer === null) {
    const detail = `${applicationId} has no open counter-offer.`
    throw inWrongState('NO_COUNTER_OFFER', application, detail)
  }
  if (offerExpiresAt !== null && offerExpiresAt > now) return counterOffer
  const detail = `The counter-offer expired at ${offerExpiresAt?.toISOString()}.`
  throw inWrongState('OFFER_EXPIRED', application, detail)
}

/**
 * Turns an accepted counter-offer into an approval that overrides the decision that made the offer.
 */
export function approvedByCounterOffer(
  application: LoanApplication,
  offered: CreditDecision,
  made: {
    decisionId: string
    facilityId: string
    agreementId: string
    recordedBy: string
    now: Date
  },
): { application: LoanApplication; decision: CreditDecision } {
  const { now } = made
  const terms = requireCounterOffer(application, now)
  const facilityId = application.facilityId ?? made.facilityId
  const decision: CreditDecision = {
    ...offered,
    decisionId: made.decisionId,
    number: application.decisions + 1,
    outcome: 'approved',
    applicationStatus: 'approved',
    approvedTerms: terms,
    decidedAt: now,
    recordedBy: made.recordedBy,
    recordedAt: now,
    overrideOf: offered.decisionId,
    comment: null,
    adverseActionNoticeDueBy: null,
    facilityId,
  }
  const after: LoanApplication = {
    ...moved(application, 'approved'),
    counterOffer: null,
    approvedTerms: terms,
    approvedAt: now,
    facilityId,
    agreementId: application.agreementId ?? made.agreementId,
    decisionId: made.decisionId,
    decisions: decision.number,
  }
  return { application: after, decision }
}

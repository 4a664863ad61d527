import { addDays, addMs, dateOf, minuteMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import {
  applicationMoves,
  inWrongState,
  moved,
  type Condition,
  type LoanApplication,
} from './application.ts'
import { wholeSecond } from './decision.ts'
import { settingOf, type Product } from './published.ts'
import { refuse } from './refusals.ts'

export interface AcceptanceAsked {
  acceptedAt: Date
  acceptanceChannel: string
  signatureReference: string | null
}

/** Directive (EU) 2023/2225, article 26: the consumer may withdraw within 14 days. */
const coolingOffDays = 14
/** The clock tolerance between the caller and the bank. */
const aheadMs = 5 * minuteMs

/**
 * Accepts the approved terms, which are identified by their hash.
 * Rejects, in this order, with ALREADY_ACCEPTED the same acceptance again,
 * INVALID_STATE_TRANSITION, OFFER_EXPIRED, CONDITIONS_NOT_MET, ACCEPTED_AT_IN_FUTURE,
 * ACCEPTED_BEFORE_APPROVAL, SIGNATURE_REQUIRED.
 */
export function accepted(
  application: LoanApplication,
  asked: AcceptanceAsked,
  product: Product | null,
  made: { recordedBy: string; now: Date },
): LoanApplication {
  requireOpenTerms(application, asked, made.now)
  requireConditionsMet(application)
  const { acceptedAt, acceptanceChannel, signatureReference } = asked
  if (acceptedAt > addMs(made.now, aheadMs)) {
    throw refuse(
      'ACCEPTED_AT_IN_FUTURE',
      '/acceptedAt',
      'The time of acceptance must not be in the future.',
    )
  }
  const { approvedAt, customerId } = application
  if (acceptedAt < wholeSecond(approvedAt!)) {
    const detail = `The terms were approved at ${approvedAt!.toISOString()}; they cannot be accepted before that.`
    throw refuse('ACCEPTED_BEFORE_APPROVAL', '/acceptedAt', detail)
  }
  const isSigned = signatureReference !== null
  if (!isSigned && product && settingOf(product, 'signatureRequired') === 'true') {
    const detail = 'The product requires a signature.'
    throw refuse('SIGNATURE_REQUIRED', '/signatureReference', detail)
  }
  const acceptance = {
    customerId,
    acceptedAt,
    acceptanceChannel,
    signatureReference,
    termsHash: application.termsHash!,
    recordedBy: made.recordedBy,
    recordedAt: made.now,
  }
  return {
    ...moved(application, 'accepted'),
    acceptances: [...application.acceptances, acceptance],
    coolingOffEndsOn: addDays(dateOf(acceptedAt), coolingOffDays),
    offerExpiresAt: null,
  }
}

function requireOpenTerms(application: LoanApplication, asked: AcceptanceAsked, now: Date): void {
  const { applicationId, acceptances, status, offerExpiresAt } = application
  const isTaken = status === 'accepted' || status === 'booked'
  if (isTaken && acceptances.some((acceptance) => isSame(acceptance, asked))) {
    const detail = `The terms of ${applicationId} were already accepted with the same content.`
    throw inWrongState('ALREADY_ACCEPTED', application, detail)
  }
  moved(application, 'accepted', applicationMoves)
  if (offerExpiresAt !== null && offerExpiresAt > now) return
  const detail = `The terms expired at ${offerExpiresAt?.toISOString()}.`
  throw inWrongState('OFFER_EXPIRED', application, detail)
}

function isSame(one: AcceptanceAsked, other: AcceptanceAsked): boolean {
  return (
    one.acceptedAt.getTime() === other.acceptedAt.getTime() &&
    one.acceptanceChannel === other.acceptanceChannel &&
    one.signatureReference === other.signatureReference
  )
}

function requireConditionsMet(application: LoanApplication): void {
  const open = application.conditions.filter(({ status }) => status === 'open')
  if (open.length === 0) return
  const code = 'CONDITIONS_NOT_MET'
  const errors: Fault[] = open.map((condition) => ({
    pointer: '',
    code,
    detail: `${condition.code}${condition.description ? `: ${condition.description}` : ''}`,
  }))
  throw new Problem(code, {
    detail: `Conditions not met: ${open.map((condition) => condition.code).join(', ')}.`,
    resourceId: application.applicationId,
    currentState: application.status,
    allowedStates: applicationMoves[application.status],
    errors,
  })
}

/**
 * Records that a condition of an approval was fulfilled or waived.
 * Rejects with INVALID_STATE_TRANSITION unless the application is approved, CONDITION_NOT_FOUND,
 * and STATE_CONFLICT when the condition is no longer open.
 */
export function conditionMet(
  application: LoanApplication,
  code: string,
  status: 'fulfilled' | 'waived',
  made: { by: string; at: Date; note: string | null },
): LoanApplication {
  if (application.status !== 'approved') moved(application, 'accepted', applicationMoves)
  const condition = application.conditions.find((each) => each.code === code)
  if (!condition) {
    const detail = `The approval has no condition ${code}.`
    throw new Problem('CONDITION_NOT_FOUND', { detail, resourceId: application.applicationId })
  }
  if (condition.status !== 'open') {
    throw new Problem('STATE_CONFLICT', {
      detail: `The condition ${code} is already ${condition.status}.`,
      resourceId: application.applicationId,
      currentState: condition.status,
      allowedStates: [],
    })
  }
  const met: Condition = { ...condition, ...made, status }
  const conditions = application.conditions.map((each) => (each === condition ? met : each))
  return { ...application, conditions }
}

import { applicationStates, type LoanApplication } from '../model/application.ts'
import type { Condition } from '../model/loan-terms.ts'
import { addDays, addMs, dateOf, minuteMs } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { stateProblem, withStatus } from './application.ts'
import { truncatedToSecond } from './decision.ts'
import { settingOf, type Product } from './published.ts'
import { fieldProblem } from './refusals.ts'

export interface AcceptanceRequest {
  acceptedAt: Date
  acceptanceChannel: string
  signatureReference: string | null
}

/** Directive (EU) 2023/2225, article 26: the consumer may withdraw within 14 days. */
const coolingOffDays = 14
/** How far the caller's clock may be ahead of the bank's. */
const clockToleranceMs = 5 * minuteMs

/**
 * Accepts the approved terms. The acceptance stores the hash of the terms.
 * Throws, in this order, ALREADY_ACCEPTED if the same acceptance was already recorded,
 * INVALID_STATE_TRANSITION, OFFER_EXPIRED, CONDITIONS_NOT_MET, ACCEPTED_AT_IN_FUTURE,
 * ACCEPTED_BEFORE_APPROVAL, SIGNATURE_REQUIRED.
 */
export function accept(
  application: LoanApplication,
  request: AcceptanceRequest,
  product: Product | null,
  stamp: { recordedBy: string; now: Date },
): LoanApplication {
  requireOpenTerms(application, request, stamp.now)
  requireConditionsMet(application)
  const { acceptedAt, acceptanceChannel, signatureReference } = request
  if (acceptedAt > addMs(stamp.now, clockToleranceMs)) {
    throw fieldProblem(
      'ACCEPTED_AT_IN_FUTURE',
      '/acceptedAt',
      'The time of acceptance must not be in the future.',
    )
  }
  const { approvedAt, customerId } = application
  if (acceptedAt < truncatedToSecond(approvedAt!)) {
    const detail = `The terms were approved at ${approvedAt!.toISOString()}; they cannot be accepted before that.`
    throw fieldProblem('ACCEPTED_BEFORE_APPROVAL', '/acceptedAt', detail)
  }
  const isSigned = signatureReference !== null
  if (!isSigned && product && settingOf(product, 'signatureRequired') === 'true') {
    const detail = 'The product requires a signature.'
    throw fieldProblem('SIGNATURE_REQUIRED', '/signatureReference', detail)
  }
  const acceptance = {
    customerId,
    acceptedAt,
    acceptanceChannel,
    signatureReference,
    termsHash: application.termsHash!,
    recordedBy: stamp.recordedBy,
    recordedAt: stamp.now,
  }
  return {
    ...withStatus(application, 'accepted'),
    acceptances: [...application.acceptances, acceptance],
    coolingOffEndsOn: addDays(dateOf(acceptedAt), coolingOffDays),
    offerExpiresAt: null,
  }
}

/**
 * Returns what a customer reads and approves before the terms are accepted: the application, the
 * amount, the term and the rate. The hash covers all other terms.
 */
export function approvalLinesOf({
  applicationId,
  approvedTerms,
  termsHash,
}: LoanApplication): (readonly [string, string])[] {
  const { amountMinor, currency, termMonths, ratePct, productId } = approvedTerms!
  return [
    ['Amount', `${formatAmount(amountMinor, currency)} ${currency}`],
    ['Interest rate per year', `${ratePct} %`],
    ['Term', termMonths === null ? 'revolving' : `${termMonths} months`],
    ['Product', productId],
    ['Application', applicationId],
    ['Hash of the terms', termsHash!],
  ]
}

function requireOpenTerms(
  application: LoanApplication,
  request: AcceptanceRequest,
  now: Date,
): void {
  const { applicationId, acceptances, status, offerExpiresAt } = application
  const isAccepted = status === 'accepted' || status === 'booked'
  if (isAccepted && acceptances.some((acceptance) => isSameAcceptance(acceptance, request))) {
    const detail = `The terms of ${applicationId} were already accepted with the same content.`
    throw stateProblem('ALREADY_ACCEPTED', application, detail)
  }
  withStatus(application, 'accepted')
  if (offerExpiresAt !== null && offerExpiresAt > now) return
  const detail = `The terms expired at ${offerExpiresAt?.toISOString()}.`
  throw stateProblem('OFFER_EXPIRED', application, detail)
}

function isSameAcceptance(one: AcceptanceRequest, other: AcceptanceRequest): boolean {
  return (
    one.acceptedAt.getTime() === other.acceptedAt.getTime() &&
    one.acceptanceChannel === other.acceptanceChannel &&
    one.signatureReference === other.signatureReference
  )
}

function requireConditionsMet(application: LoanApplication): void {
  const openConditions = application.conditions.filter(({ status }) => status === 'open')
  if (openConditions.length === 0) return
  const code = 'CONDITIONS_NOT_MET'
  const errors: ValidationError[] = openConditions.map((condition) => ({
    pointer: '',
    code,
    detail: `${condition.code}${condition.description ? `: ${condition.description}` : ''}`,
  }))
  throw new Problem(code, {
    detail: `Conditions not met: ${openConditions.map((condition) => condition.code).join(', ')}.`,
    resourceId: application.applicationId,
    currentState: application.status,
    allowedStates: applicationStates.table[application.status],
    errors,
  })
}

/**
 * Records that a condition of an approval was fulfilled or waived.
 * Throws CONDITION_NOT_FOUND, INVALID_STATE_TRANSITION unless the application is approved, and
 * STATE_CONFLICT if the condition is no longer open.
 */
export function withMetCondition(
  application: LoanApplication,
  code: string,
  status: 'fulfilled' | 'waived',
  stamp: { by: string; at: Date; note: string | null },
): LoanApplication {
  // Only an approved application can become `accepted`, so this call throws.
  if (application.status !== 'approved') withStatus(application, 'accepted')
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
  const metCondition: Condition = { ...condition, ...stamp, status }
  const conditions = application.conditions.map((each) =>
    each === condition ? metCondition : each,
  )
  return { ...application, conditions }
}

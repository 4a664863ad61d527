import { agreementStates, type Agreement } from '../model/agreement.ts'
import { AgreementStatus } from '../model/enumerations.ts'
import { addMs, dateOf, minuteMs, type LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { assertTransition, initialState, isTerminal } from '../../../kernel/domain/states.ts'

/** The statuses that are not final. */
export const openAgreementStatuses = AgreementStatus.values.filter(
  (status) => !isTerminal(agreementStates.table, status),
)

export interface NewAgreement {
  partyId: string
  productCode: string
  agreementType: string
  status?: string | null
  effectiveFrom?: LocalDate | null
  effectiveTo?: LocalDate | null
}

/** Creates a draft agreement. Throws INVALID_INITIAL_STATUS, INVALID_DATE_RANGE. */
export function newAgreement(
  request: NewAgreement,
  stamp: { agreementId: string; contentHash: string; now: Date },
): Agreement {
  const { effectiveFrom = null, effectiveTo = null } = request
  if (effectiveFrom !== null && effectiveTo !== null && effectiveTo < effectiveFrom) {
    const detail = `effectiveTo (${effectiveTo}) must not be before effectiveFrom (${effectiveFrom}).`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/effectiveTo', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  const { now, ...identity } = stamp
  return {
    ...identity,
    partyId: request.partyId,
    productCode: request.productCode,
    agreementType: request.agreementType,
    status: initialState(request.status, ['draft'], 'draft'),
    statusReason: null,
    effectiveFrom,
    effectiveTo,
    signedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * Checks that an agreement can be signed. Throws SIGNED_AT_IN_FUTURE if the signature is more than
 * one minute in the future, and STATE_CONFLICT if the last day of the agreement has passed.
 */
export function requireSignable(agreement: Agreement, signedAt: Date, now: Date): void {
  if (signedAt > addMs(now, minuteMs)) {
    const detail = `The signing time ${signedAt.toISOString()} is in the future.`
    throw new Problem('SIGNED_AT_IN_FUTURE', {
      detail,
      errors: [{ pointer: '/signedAt', code: 'SIGNED_AT_IN_FUTURE', detail }],
    })
  }
  if (hasEnded(agreement, dateOf(now))) {
    throw new Problem('STATE_CONFLICT', {
      detail: `${agreement.agreementId} ended on ${agreement.effectiveTo} and can no longer be signed.`,
      resourceId: agreement.agreementId,
      currentState: agreement.status,
    })
  }
}

/**
 * Sets when an agreement was signed. By default, the agreement takes effect on the day of the
 * signature, but not after its last day.
 */
export function withSignature(agreement: Agreement, signedAt: Date): Agreement {
  const { effectiveFrom, effectiveTo } = agreement
  const signedOn = dateOf(signedAt)
  const defaultStart = effectiveTo !== null && effectiveTo < signedOn ? effectiveTo : signedOn
  return { ...agreement, signedAt, effectiveFrom: effectiveFrom ?? defaultStart }
}

/**
 * Expires an agreement whose last day has passed. Throws INVALID_STATE_TRANSITION, and
 * STATE_CONFLICT if its last day has not passed.
 */
export function expireAgreement(agreement: Agreement, today: LocalDate): Agreement {
  assertTransition(agreementStates.table, agreement.status, 'expired', agreement.agreementId)
  if (hasEnded(agreement, today)) return { ...agreement, status: 'expired' }
  throw new Problem('STATE_CONFLICT', {
    detail: `${agreement.agreementId} is in force until ${agreement.effectiveTo ?? 'it is terminated'}.`,
    resourceId: agreement.agreementId,
    currentState: agreement.status,
  })
}

function hasEnded({ effectiveTo }: Agreement, today: LocalDate): boolean {
  return effectiveTo !== null && effectiveTo < today
}

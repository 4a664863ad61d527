import type { Agreement } from '../model/agreement.ts'
import { AgreementStatus } from '../model/enumerations.ts'
import { addMs, dateOf, minuteMs, type LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import {
  assertTransition,
  initialState,
  isTerminal,
  type Transitions,
} from '../../../kernel/domain/states.ts'

export const agreementTransitions: Transitions<AgreementStatus> = {
  draft: ['pending-signature', 'cancelled'],
  'pending-signature': ['active', 'cancelled'],
  active: ['suspended', 'terminated', 'expired'],
  suspended: ['active', 'terminated'],
  terminated: [],
  expired: [],
  cancelled: [],
}

/**
 * The transitions for a signature, and those for a resumption. Both commands lead to `active`, but
 * from different statuses.
 */
const signatures: Transitions<AgreementStatus> = {
  ...agreementTransitions,
  suspended: ['terminated'],
}
const resumptions: Transitions<AgreementStatus> = {
  ...agreementTransitions,
  'pending-signature': ['cancelled'],
}

/** The statuses that are not final. */
export const openAgreementStatuses = AgreementStatus.values.filter(
  (status) => !isTerminal(agreementTransitions, status),
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

/** Sends a draft to the party for signature. Throws INVALID_STATE_TRANSITION. */
export function sendForSignature(agreement: Agreement): Agreement {
  return transition(agreement, 'pending-signature')
}

/**
 * Records the signature and activates the agreement. By default, the agreement takes effect on the
 * day of the signature, but not after its last day. Throws INVALID_STATE_TRANSITION,
 * SIGNED_AT_IN_FUTURE if the signature is more than one minute in the future, and STATE_CONFLICT if
 * the last day of the agreement has passed.
 */
export function signAgreement(agreement: Agreement, signedAt: Date, now: Date): Agreement {
  assertTransition(signatures, agreement.status, 'active', agreement.agreementId)
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
  const { effectiveTo } = agreement
  const signedOn = dateOf(signedAt)
  const defaultStart = effectiveTo !== null && effectiveTo < signedOn ? effectiveTo : signedOn
  return {
    ...agreement,
    status: 'active',
    signedAt,
    effectiveFrom: agreement.effectiveFrom ?? defaultStart,
  }
}

/** Cancels an unsigned agreement. Throws INVALID_STATE_TRANSITION. */
export function cancelAgreement(agreement: Agreement, reason: string | null): Agreement {
  return transition(agreement, 'cancelled', reason)
}

/** Suspends an active agreement. Throws INVALID_STATE_TRANSITION. */
export function suspendAgreement(agreement: Agreement, reason: string | null): Agreement {
  return transition(agreement, 'suspended', reason)
}

/** Resumes a suspended agreement. Throws INVALID_STATE_TRANSITION. */
export function resumeAgreement(agreement: Agreement): Agreement {
  assertTransition(resumptions, agreement.status, 'active', agreement.agreementId)
  return { ...agreement, status: 'active', statusReason: null }
}

/** Ends an agreement before its last day. Throws INVALID_STATE_TRANSITION. */
export function terminateAgreement(agreement: Agreement, reason: string): Agreement {
  return transition(agreement, 'terminated', reason)
}

/**
 * Expires an agreement whose last day has passed. Throws INVALID_STATE_TRANSITION, and
 * STATE_CONFLICT if its last day has not passed.
 */
export function expireAgreement(agreement: Agreement, today: LocalDate): Agreement {
  const expiredAgreement = transition(agreement, 'expired')
  if (hasEnded(agreement, today)) return expiredAgreement
  throw new Problem('STATE_CONFLICT', {
    detail: `${agreement.agreementId} is in force until ${agreement.effectiveTo ?? 'it is terminated'}.`,
    resourceId: agreement.agreementId,
    currentState: agreement.status,
  })
}

function hasEnded({ effectiveTo }: Agreement, today: LocalDate): boolean {
  return effectiveTo !== null && effectiveTo < today
}

function transition(
  agreement: Agreement,
  to: AgreementStatus,
  reason: string | null = null,
): Agreement {
  assertTransition(agreementTransitions, agreement.status, to, agreement.agreementId)
  return { ...agreement, status: to, statusReason: reason }
}

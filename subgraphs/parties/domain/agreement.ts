import { addMs, dateOf, minuteMs, type LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'

export const agreementStatuses = [
  'draft',
  'pending-signature',
  'active',
  'suspended',
  'terminated',
  'expired',
  'cancelled',
] as const
export type AgreementStatus = (typeof agreementStatuses)[number]

export const agreementMoves: Transitions<AgreementStatus> = {
  draft: ['pending-signature', 'cancelled'],
  'pending-signature': ['active', 'cancelled'],
  active: ['suspended', 'terminated', 'expired'],
  suspended: ['active', 'terminated'],
  terminated: [],
  expired: [],
  cancelled: [],
}

/**
 * Signature and resumption both lead to `active`, but are different commands with different
 * sources.
 */
const signatures: Transitions<AgreementStatus> = { ...agreementMoves, suspended: ['terminated'] }
const resumptions: Transitions<AgreementStatus> = {
  ...agreementMoves,
  'pending-signature': ['cancelled'],
}

/** The states that are not final. */
export const openAgreementStatuses = agreementStatuses.filter(
  (status) => agreementMoves[status].length > 0,
)

/** A contract between a party and the bank for one product. */
export interface Agreement {
  agreementId: string
  partyId: string
  productCode: string
  agreementType: string
  status: AgreementStatus
  /** Why it was suspended, terminated or cancelled. */
  statusReason: string | null
  effectiveFrom: LocalDate | null
  /** The last day on which the agreement is in force; null when it is open-ended. */
  effectiveTo: LocalDate | null
  signedAt: Date | null
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface NewAgreement {
  partyId: string
  productCode: string
  agreementType: string
  status?: string | null
  effectiveFrom?: LocalDate | null
  effectiveTo?: LocalDate | null
}

/** A new draft agreement. Rejects with INVALID_INITIAL_STATUS, INVALID_DATE_RANGE. */
export function newAgreement(
  asked: NewAgreement,
  made: { agreementId: string; contentHash: string; now: Date },
): Agreement {
  const { effectiveFrom = null, effectiveTo = null } = asked
  if (effectiveFrom !== null && effectiveTo !== null && effectiveTo < effectiveFrom) {
    const detail = `effectiveTo, ${effectiveTo}, must not be before effectiveFrom, ${effectiveFrom}.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/effectiveTo', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  const { now, ...identity } = made
  return {
    ...identity,
    partyId: asked.partyId,
    productCode: asked.productCode,
    agreementType: asked.agreementType,
    status: initialState(asked.status, ['draft'], 'draft'),
    statusReason: null,
    effectiveFrom,
    effectiveTo,
    signedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** Sends a draft to the party for signature. Rejects with INVALID_STATE_TRANSITION. */
export function sendForSignature(agreement: Agreement): Agreement {
  return move(agreement, 'pending-signature')
}

/**
 * Records the signature and activates the agreement. Its first day defaults to the day of the
 * signature. Rejects with INVALID_STATE_TRANSITION, SIGNED_AT_IN_FUTURE (beyond a clock tolerance
 * of one minute), and STATE_CONFLICT when its last day has passed.
 */
export function signAgreement(agreement: Agreement, signedAt: Date, now: Date): Agreement {
  requireMove(signatures, agreement.status, 'active', agreement.agreementId)
  if (signedAt > addMs(now, minuteMs)) {
    const detail = `The signing time ${signedAt.toISOString()} is in the future.`
    throw new Problem('SIGNED_AT_IN_FUTURE', {
      detail,
      errors: [{ pointer: '/signedAt', code: 'SIGNED_AT_IN_FUTURE', detail }],
    })
  }
  if (isPast(agreement, dateOf(now))) {
    throw new Problem('STATE_CONFLICT', {
      detail: `${agreement.agreementId} ended on ${agreement.effectiveTo} and can no longer be signed.`,
      resourceId: agreement.agreementId,
      currentState: agreement.status,
    })
  }
  const { effectiveTo } = agreement
  const signedOn = dateOf(signedAt)
  const from = effectiveTo !== null && effectiveTo < signedOn ? effectiveTo : signedOn
  return {
    ...agreement,
    status: 'active',
    signedAt,
    effectiveFrom: agreement.effectiveFrom ?? from,
  }
}

/** Withdraws an unsigned agreement. Rejects with INVALID_STATE_TRANSITION. */
export function cancelAgreement(agreement: Agreement, reason: string | null): Agreement {
  return move(agreement, 'cancelled', reason)
}

/** Suspends an active agreement. Rejects with INVALID_STATE_TRANSITION. */
export function suspendAgreement(agreement: Agreement, reason: string | null): Agreement {
  return move(agreement, 'suspended', reason)
}

/** Resumes a suspended agreement. Rejects with INVALID_STATE_TRANSITION. */
export function resumeAgreement(agreement: Agreement): Agreement {
  requireMove(resumptions, agreement.status, 'active', agreement.agreementId)
  return { ...agreement, status: 'active', statusReason: null }
}

/** Ends an agreement before its last day. Rejects with INVALID_STATE_TRANSITION. */
export function terminateAgreement(agreement: Agreement, reason: string): Agreement {
  return move(agreement, 'terminated', reason)
}

/**
 * Ends an agreement whose last day has passed. Rejects with INVALID_STATE_TRANSITION,
 * STATE_CONFLICT before that.
 */
export function expireAgreement(agreement: Agreement, today: LocalDate): Agreement {
  const expired = move(agreement, 'expired')
  if (isPast(agreement, today)) return expired
  throw new Problem('STATE_CONFLICT', {
    detail: `${agreement.agreementId} is in force until ${agreement.effectiveTo ?? 'it is terminated'}.`,
    resourceId: agreement.agreementId,
    currentState: agreement.status,
  })
}

function isPast({ effectiveTo }: Agreement, today: LocalDate): boolean {
  return effectiveTo !== null && effectiveTo < today
}

function move(agreement: Agreement, to: AgreementStatus, reason: string | null = null): Agreement {
  requireMove(agreementMoves, agreement.status, to, agreement.agreementId)
  return { ...agreement, status: to, statusReason: reason }
}

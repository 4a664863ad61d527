import { kycStates, type Customer } from '../model/customer.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { assertTransition, initialState } from '../../../kernel/domain/states.ts'

/** Creates a customer: a prospect without an identity check. Throws INVALID_INITIAL_STATUS. */
export function newCustomer(
  request: { partyId: string; segment?: string | null; status?: string | null },
  stamp: { customerId: string; contentHash: string; now: Date },
): Customer {
  const { now, ...identity } = stamp
  return {
    ...identity,
    partyId: request.partyId,
    segment: request.segment ?? null,
    status: initialState(request.status, ['prospect'], 'prospect'),
    statusReason: null,
    kycState: 'not-started',
    kycReason: null,
    kycExpiresOn: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** Checks that the identity check of a customer can change. Throws STATE_CONFLICT if closed. */
export function requireNotClosed({ status, customerId }: Customer): void {
  if (status !== 'closed') return
  throw new Problem('STATE_CONFLICT', {
    detail: `${customerId} is closed. The identity check of a closed customer cannot change.`,
    resourceId: customerId,
    currentState: status,
    allowedStates: ['prospect', 'active', 'suspended'],
  })
}

/**
 * Checks the last day on which a passed identity check is valid. Throws INVALID_DATE_RANGE unless it
 * is after today.
 */
export function requireExpiryAfter(today: LocalDate, expiresOn: LocalDate): void {
  if (expiresOn > today) return
  const detail = `The expiry date must be after today, ${today}.`
  throw new Problem('INVALID_DATE_RANGE', {
    detail,
    errors: [{ pointer: '/expiresOn', code: 'INVALID_DATE_RANGE', detail }],
  })
}

/**
 * Expires a passed identity check. Throws INVALID_STATE_TRANSITION, and STATE_CONFLICT if the
 * customer is closed.
 */
export function expireKyc(customer: Customer): Customer {
  requireNotClosed(customer)
  assertTransition(kycStates.table, customer.kycState, 'expired', customer.customerId)
  return { ...customer, kycState: 'expired' }
}

/** Whether the customer has a passed identity check that is valid today. */
export function isKycValid({ kycState, kycExpiresOn }: Customer, today: LocalDate): boolean {
  return kycState === 'passed' && (kycExpiresOn === null || kycExpiresOn >= today)
}

/** Checks that a customer has a valid identity check. Throws KYC_INCOMPLETE. */
export function requireValidKyc(customer: Customer, today: LocalDate): void {
  if (isKycValid(customer, today)) return
  const { customerId, kycState, kycExpiresOn } = customer
  const kycPhrase = kycState === 'passed' ? `expired after ${kycExpiresOn}` : `is ${kycState}`
  throw new Problem('KYC_INCOMPLETE', {
    detail: `The identity check of ${customerId} ${kycPhrase}. Start and pass a check first.`,
    resourceId: customerId,
    currentState: kycState,
  })
}

import type { Customer } from '../model/customer.ts'
import type { CustomerStatus, KycState } from '../model/enumerations.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import type { ValidationError } from '../../../kernel/domain/problem-members.ts'
import { initialState, assertTransition, type Transitions } from '../../../kernel/domain/states.ts'
import { requireSettled } from './settled.ts'

export const customerTransitions: Transitions<CustomerStatus> = {
  prospect: ['active', 'closed'],
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
}

/**
 * The transitions for an activation, and those for a reactivation. Both commands lead to `active`,
 * but from different statuses.
 */
const activations: Transitions<CustomerStatus> = { ...customerTransitions, suspended: ['closed'] }
const reactivations: Transitions<CustomerStatus> = { ...customerTransitions, prospect: ['closed'] }

export const kycTransitions: Transitions<KycState> = {
  'not-started': ['in-progress'],
  'in-progress': ['passed', 'failed'],
  passed: ['expired'],
  failed: ['in-progress'],
  expired: ['in-progress'],
}

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

/**
 * Starts the identity check of a customer. Throws INVALID_STATE_TRANSITION, and STATE_CONFLICT if
 * the customer is closed.
 */
export function startKyc(customer: Customer): Customer {
  return transitionKyc(customer, 'in-progress', { kycReason: null, kycExpiresOn: null })
}

/**
 * Records a passed identity check. Throws INVALID_DATE_RANGE unless the check expires after today,
 * and whatever `startKyc` throws.
 */
export function passKyc(customer: Customer, expiresOn: LocalDate, today: LocalDate): Customer {
  const passedCustomer = transitionKyc(customer, 'passed', { kycExpiresOn: expiresOn })
  if (expiresOn <= today) {
    const detail = `The expiry date must be after today, ${today}.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/expiresOn', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  return passedCustomer
}

/** Records a failed identity check. Throws whatever `startKyc` throws. */
export function failKyc(customer: Customer, reason: string): Customer {
  return transitionKyc(customer, 'failed', { kycReason: reason })
}

/** Expires a passed identity check. Throws whatever `startKyc` throws. */
export function expireKyc(customer: Customer): Customer {
  return transitionKyc(customer, 'expired', {})
}

function transitionKyc(customer: Customer, to: KycState, changes: Partial<Customer>): Customer {
  if (customer.status === 'closed') {
    throw new Problem('STATE_CONFLICT', {
      detail: `${customer.customerId} is closed. The identity check of a closed customer cannot change.`,
      resourceId: customer.customerId,
      currentState: customer.status,
      allowedStates: ['prospect', 'active', 'suspended'],
    })
  }
  assertTransition(kycTransitions, customer.kycState, to, customer.customerId)
  return { ...customer, ...changes, kycState: to }
}

/** Whether the customer has a passed identity check that is valid today. */
export function isKycValid({ kycState, kycExpiresOn }: Customer, today: LocalDate): boolean {
  return kycState === 'passed' && (kycExpiresOn === null || kycExpiresOn >= today)
}

/** Activates a prospect. Throws INVALID_STATE_TRANSITION, KYC_INCOMPLETE. */
export function activateCustomer(customer: Customer, today: LocalDate): Customer {
  assertTransition(activations, customer.status, 'active', customer.customerId)
  requireKyc(customer, today)
  return { ...customer, status: 'active' }
}

/** Reactivates a suspended customer. Throws INVALID_STATE_TRANSITION, KYC_INCOMPLETE. */
export function reactivateCustomer(customer: Customer, today: LocalDate): Customer {
  assertTransition(reactivations, customer.status, 'active', customer.customerId)
  requireKyc(customer, today)
  return { ...customer, status: 'active', statusReason: null }
}

function requireKyc(customer: Customer, today: LocalDate): void {
  if (isKycValid(customer, today)) return
  const { customerId, kycState, kycExpiresOn } = customer
  const kycPhrase = kycState === 'passed' ? `expired after ${kycExpiresOn}` : `is ${kycState}`
  throw new Problem('KYC_INCOMPLETE', {
    detail: `The identity check of ${customerId} ${kycPhrase}. Start and pass a check first.`,
    resourceId: customerId,
    currentState: kycState,
  })
}

/** Suspends a customer, which blocks new business. Throws INVALID_STATE_TRANSITION. */
export function suspendCustomer(customer: Customer, reason: string): Customer {
  assertTransition(customerTransitions, customer.status, 'suspended', customer.customerId)
  return { ...customer, status: 'suspended', statusReason: reason }
}

/**
 * Closes a customer permanently. `openRecordErrors` has an error for each open account and facility
 * of the customer. Throws INVALID_STATE_TRANSITION, and RELATION_NOT_SETTLED if it is not empty.
 */
export function closeCustomer(
  customer: Customer,
  reason: string | null,
  openRecordErrors: readonly ValidationError[],
): Customer {
  assertTransition(customerTransitions, customer.status, 'closed', customer.customerId)
  requireSettled(customer.customerId, openRecordErrors)
  return { ...customer, status: 'closed', statusReason: reason }
}

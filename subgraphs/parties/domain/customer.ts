import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Fault } from '../../_kernel/domain/problem-members.ts'
import { initialState, requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import { requireSettled } from './settled.ts'

export const customerStatuses = ['prospect', 'active', 'suspended', 'closed'] as const
export type CustomerStatus = (typeof customerStatuses)[number]

export const customerMoves: Transitions<CustomerStatus> = {
  prospect: ['active', 'closed'],
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
}

/**
 * Activation and reactivation lead to the same state, but are different commands with different
 * sources.
 */
const activations: Transitions<CustomerStatus> = { ...customerMoves, suspended: ['closed'] }
const reactivations: Transitions<CustomerStatus> = { ...customerMoves, prospect: ['closed'] }

export const kycStates = ['not-started', 'in-progress', 'passed', 'failed', 'expired'] as const
export type KycState = (typeof kycStates)[number]

export const kycMoves: Transitions<KycState> = {
  'not-started': ['in-progress'],
  'in-progress': ['passed', 'failed'],
  passed: ['expired'],
  failed: ['in-progress'],
  expired: ['in-progress'],
}

/** A party in its role as a customer. */
export interface Customer {
  customerId: string
  partyId: string
  segment: string | null
  status: CustomerStatus
  /** Why it is suspended or closed. */
  statusReason: string | null
  kycState: KycState
  /** Why the identity check failed. */
  kycReason: string | null
  /** The last day on which the passed identity check is valid. */
  kycExpiresOn: LocalDate | null
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A new customer: a prospect without an identity check. Rejects with INVALID_INITIAL_STATUS. */
export function newCustomer(
  asked: { partyId: string; segment?: string | null; status?: string | null },
  made: { customerId: string; contentHash: string; now: Date },
): Customer {
  const { now, ...identity } = made
  return {
    ...identity,
    partyId: asked.partyId,
    segment: asked.segment ?? null,
    status: initialState(asked.status, ['prospect'], 'prospect'),
    statusReason: null,
    kycState: 'not-started',
    kycReason: null,
    kycExpiresOn: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** Starts the identity check. Rejects with INVALID_STATE_TRANSITION, STATE_CONFLICT when closed. */
export function startKyc(customer: Customer): Customer {
  return moveKyc(customer, 'in-progress', { kycReason: null, kycExpiresOn: null })
}

/**
 * Records a passed identity check. Rejects as `startKyc` does, and with INVALID_DATE_RANGE unless
 * it expires after today.
 */
export function passKyc(customer: Customer, expiresOn: LocalDate, today: LocalDate): Customer {
  const passed = moveKyc(customer, 'passed', { kycExpiresOn: expiresOn })
  if (expiresOn <= today) {
    const detail = `The expiry date must be after today, ${today}.`
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/expiresOn', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  return passed
}

/** Records a failed identity check. Rejects as `startKyc` does. */
export function failKyc(customer: Customer, reason: string): Customer {
  return moveKyc(customer, 'failed', { kycReason: reason })
}

/** Expires a passed identity check. Rejects as `startKyc` does. */
export function expireKyc(customer: Customer): Customer {
  return moveKyc(customer, 'expired', {})
}

function moveKyc(customer: Customer, to: KycState, changes: Partial<Customer>): Customer {
  if (customer.status === 'closed') {
    throw new Problem('STATE_CONFLICT', {
      detail: `${customer.customerId} is closed. The identity check of a closed customer cannot change.`,
      resourceId: customer.customerId,
      currentState: customer.status,
      allowedStates: ['prospect', 'active', 'suspended'],
    })
  }
  requireMove(kycMoves, customer.kycState, to, customer.customerId)
  return { ...customer, ...changes, kycState: to }
}

/** Whether the customer has a passed identity check that is valid today. */
export function isKycGood({ kycState, kycExpiresOn }: Customer, today: LocalDate): boolean {
  return kycState === 'passed' && (kycExpiresOn === null || kycExpiresOn >= today)
}

/** Activates a prospect. Rejects with INVALID_STATE_TRANSITION, KYC_INCOMPLETE. */
export function activateCustomer(customer: Customer, today: LocalDate): Customer {
  requireMove(activations, customer.status, 'active', customer.customerId)
  requireKyc(customer, today)
  return { ...customer, status: 'active' }
}

/** Lifts a suspension. Rejects with INVALID_STATE_TRANSITION, KYC_INCOMPLETE. */
export function reactivateCustomer(customer: Customer, today: LocalDate): Customer {
  requireMove(reactivations, customer.status, 'active', customer.customerId)
  requireKyc(customer, today)
  return { ...customer, status: 'active', statusReason: null }
}

function requireKyc(customer: Customer, today: LocalDate): void {
  if (isKycGood(customer, today)) return
  const { customerId, kycState, kycExpiresOn } = customer
  const state = kycState === 'passed' ? `expired after ${kycExpiresOn}` : `is ${kycState}`
  throw new Problem('KYC_INCOMPLETE', {
    detail: `The identity check of ${customerId} ${state}. Start and pass a check first.`,
    resourceId: customerId,
    currentState: kycState,
  })
}

/** Suspends a customer, who may then not do new business. Rejects with INVALID_STATE_TRANSITION. */
export function suspendCustomer(customer: Customer, reason: string): Customer {
  requireMove(customerMoves, customer.status, 'suspended', customer.customerId)
  return { ...customer, status: 'suspended', statusReason: reason }
}

/**
 * Closes a customer permanently. Rejects with INVALID_STATE_TRANSITION, and RELATION_NOT_SETTLED
 * while an account or a facility is open; `errors` lists them.
 */
export function closeCustomer(
  customer: Customer,
  reason: string | null,
  open: readonly Fault[],
): Customer {
  requireMove(customerMoves, customer.status, 'closed', customer.customerId)
  requireSettled(customer.customerId, open)
  return { ...customer, status: 'closed', statusReason: reason }
}

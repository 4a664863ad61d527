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

/** To become active for the first time is another act than to come back from a suspension. */
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
  /** Why the check failed. */
  kycReason: string | null
  /** The last day the check is good for. */
  kycExpiresOn: LocalDate | null
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A new customer: a prospect of whom nothing is known yet. Refuses with INVALID_INITIAL_STATUS. */
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

/** Begins to check who a customer is. Refuses with INVALID_STATE_TRANSITION, STATE_CONFLICT when closed. */
export function startKyc(customer: Customer): Customer {
  return moveKyc(customer, 'in-progress', { kycReason: null, kycExpiresOn: null })
}

/** The check was passed, for use until a day after today. Refuses as startKyc, and with INVALID_DATE_RANGE. */
export function passKyc(customer: Customer, expiresOn: LocalDate, today: LocalDate): Customer {
  const passed = moveKyc(customer, 'passed', { kycExpiresOn: expiresOn })
  if (expiresOn <= today) {
    const detail = 'A check is good for at least a day.'
    throw new Problem('INVALID_DATE_RANGE', {
      detail,
      errors: [{ pointer: '/expiresOn', code: 'INVALID_DATE_RANGE', detail }],
    })
  }
  return passed
}

/** The check was not passed. Refuses as startKyc. */
export function failKyc(customer: Customer, reason: string): Customer {
  return moveKyc(customer, 'failed', { kycReason: reason })
}

/** The check is no longer good. Refuses as startKyc. */
export function expireKyc(customer: Customer): Customer {
  return moveKyc(customer, 'expired', {})
}

function moveKyc(customer: Customer, to: KycState, changes: Partial<Customer>): Customer {
  if (customer.status === 'closed') {
    throw new Problem('STATE_CONFLICT', {
      detail: `${customer.customerId} is closed.`,
      resourceId: customer.customerId,
      currentState: customer.status,
      allowedStates: ['prospect', 'active', 'suspended'],
    })
  }
  requireMove(kycMoves, customer.kycState, to, customer.customerId)
  return { ...customer, ...changes, kycState: to }
}

/** Whether a customer's identity is known today: passed, and not past its last day. */
export function isKycGood({ kycState, kycExpiresOn }: Customer, today: LocalDate): boolean {
  return kycState === 'passed' && (kycExpiresOn === null || kycExpiresOn >= today)
}

/** A prospect becomes a customer. Refuses with INVALID_STATE_TRANSITION, KYC_INCOMPLETE. */
export function activateCustomer(customer: Customer, today: LocalDate): Customer {
  requireMove(activations, customer.status, 'active', customer.customerId)
  requireKyc(customer, today)
  return { ...customer, status: 'active' }
}

/** A suspended customer is one again. Refuses with INVALID_STATE_TRANSITION, KYC_INCOMPLETE. */
export function reactivateCustomer(customer: Customer, today: LocalDate): Customer {
  requireMove(reactivations, customer.status, 'active', customer.customerId)
  requireKyc(customer, today)
  return { ...customer, status: 'active', statusReason: null }
}

function requireKyc(customer: Customer, today: LocalDate): void {
  if (isKycGood(customer, today)) return
  throw new Problem('KYC_INCOMPLETE', {
    detail: `The check of ${customer.customerId} is ${customer.kycState}.`,
    resourceId: customer.customerId,
    currentState: customer.kycState,
  })
}

/** Stops new business with a customer for a while. Refuses with INVALID_STATE_TRANSITION. */
export function suspendCustomer(customer: Customer, reason: string): Customer {
  requireMove(customerMoves, customer.status, 'suspended', customer.customerId)
  return { ...customer, status: 'suspended', statusReason: reason }
}

/**
 * Ends a customer relation for good. Rejects with INVALID_STATE_TRANSITION, and RELATION_NOT_SETTLED
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

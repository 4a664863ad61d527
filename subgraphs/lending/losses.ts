import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { dateOf } from '../_kernel/domain/dates.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { AmountSent } from '../_kernel/scalars.ts'
import { moveFacility, type Facility } from './domain/facility.ts'
import {
  lossOf,
  requireGrounds,
  requireWithinLimit,
  stateAfter,
  type LossAction,
} from './domain/loss-proposal.ts'
import { chargeOff, recover, requireRecoverable, writeOff } from './domain/loss.ts'
import { startServicing, type Serviced } from './domain/servicing.ts'
import { readAmount } from './drawdown-asked.ts'
import { readPolicy } from './read-policy.ts'
import { readSource, requireFacilityWithDues } from './repayments.ts'
import { commitServiced, servicedToday } from './serve-facility.ts'
import type { FacilityWithDues } from './store/facility-with-dues.ts'

export interface LossRequest {
  facilityId: string
  /** Why; required unless the facility is in arrears. */
  reason?: string | null
}

/**
 * Charges off or writes off a facility, up to the limit for one person.
 * Rejects with NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, INVALID_STATE_TRANSITION,
 * LOSS_REASON_REQUIRED, SECOND_PERSON_REQUIRED.
 */
export function bookFacilityLoss(
  context: Context,
  action: LossAction,
  request: LossRequest,
): Promise<Facility> {
  const operation = action === 'charge-off' ? 'chargeOffFacility' : 'writeOffFacility'
  return change(context, operation, request, async (facility, found) => {
    const serviced = servicedForLoss(context, found, action)
    requireGrounds(serviced.facility, action, request.reason)
    const policy = await readPolicy(context, facility)
    requireWithinLimit(facility, lossOf(serviced.facility, action), policy)
    return lose(context, serviced, action)
  })
}

/**
 * The facility a loss is decided on: brought to today before a charge-off, so that interest is complete.
 * Rejects with INVALID_STATE_TRANSITION.
 */
export function servicedForLoss(
  context: Context,
  found: FacilityWithDues,
  action: LossAction,
): Serviced {
  // First whether it may: what is over is not brought to today.
  moveFacility(found.facility, stateAfter(action))
  if (action === 'write-off') return startServicing(found.facility, [])
  return servicedToday(context, found)
}

/** Books a loss that was decided. */
export function lose(context: Context, serviced: Serviced, action: LossAction): Serviced {
  if (action === 'write-off') return writeOff(serviced)
  return chargeOff(serviced, dateOf(context.now()))
}

export interface RecoveryAsked {
  facilityId: string
  amount: AmountSent
  sourceArrangementId?: string | null
}

/**
 * Books a recovery on a charged-off facility; repeat until everything has been recovered.
 * Rejects with NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, INVALID_STATE_TRANSITION, INVALID_AMOUNT,
 * EXCEEDS_PAYOFF_AMOUNT, ARRANGEMENT_NOT_FOUND, CURRENCY_MISMATCH, INSUFFICIENT_FUNDS.
 */
export function recoverFacility(context: Context, asked: RecoveryAsked): Promise<Facility> {
  return change(context, 'recoverFacility', asked, async (facility) => {
    requireRecoverable(facility)
    const amountMinor = readAmount(facility, asked.amount)
    if (amountMinor <= 0n) {
      const detail = 'The amount must be greater than zero.'
      const errors = [{ pointer: '/amount', code: 'INVALID_AMOUNT', detail }]
      throw new Problem('INVALID_AMOUNT', { detail, errors })
    }
    const accountId = await readSource(context, facility, asked.sourceArrangementId)
    const today = dateOf(context.now())
    return recover(startServicing(facility, []), amountMinor, today, accountId)
  })
}

/**
 * Cancels a facility that nothing was drawn from and for which no drawdown is waiting.
 * Rejects with NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, INVALID_STATE_TRANSITION, STATE_CONFLICT.
 */
export function cancelFacility(context: Context, facilityId: string): Promise<Facility> {
  return change(context, 'cancelFacility', { facilityId }, (facility) => {
    const cancelled = moveFacility(facility, 'cancelled')
    if (facility.reservedMinor > 0n) {
      const detail = `${facilityId} has drawdowns that were requested. Cancel them first.`
      throw new Problem('STATE_CONFLICT', { detail, resourceId: facilityId })
    }
    const after = { ...cancelled, nextDueDate: null, nextDueMinor: 0n }
    return Promise.resolve({ ...startServicing(after, []), tell: ['cancelled'] as const })
  })
}

function change(
  context: Context,
  operation: string,
  input: { facilityId: string },
  decide: (facility: Facility, found: FacilityWithDues) => Serviced | Promise<Serviced>,
): Promise<Facility> {
  requireBank(context)
  return command(context, operation, input, async () => {
    const { facilityId } = input
    const found = await requireFacilityWithDues(context, facilityId)
    const before = found.facility
    const changed = await commitServiced(context, before, await decide(before, found))
    const { facility, writes, events, facts } = changed
    return { result: facility, resourceId: facilityId, isKeyKept: true, writes, events, facts }
  })
}

import type { LossAction } from '../../model/losses/enumerations.ts'
import { requireBank } from '../../../../kernel/authorization/auth.ts'
import { command } from '../../../../kernel/writing/command.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { Problem } from '../../domain/problems.ts'
import type { AmountSent } from '../../../../kernel/domain/money.ts'
import { transitionFacility, type Facility } from '../../domain/facilities/facility.ts'
import {
  lossOf,
  requireGrounds,
  requireWithinLimit,
  stateAfter,
} from '../../domain/losses/loss-proposal.ts'
import { chargeOff, recover, requireRecoverable, writeOff } from '../../domain/losses/loss.ts'
import { startServicing, type ServicedFacility } from '../../domain/servicing/servicing.ts'
import { requirePositive } from '../../domain/schedules/refusals.ts'
import { readAmount, readSource } from '../facilities/customer-account.ts'
import { readPolicy } from '../../store/facilities/product-policy.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { changeServicedFacility, servicedToday } from '../servicing/service-facility.ts'
import type { FacilityWithDues } from '../../store/repayments/facility-with-dues.ts'

export interface LossRequest {
  facilityId: string
  /** The reason for the loss; required unless the facility is in arrears. */
  reason?: string | null
}

/**
 * Charges off or writes off a facility, if one person may approve a loss of that amount alone.
 * Throws NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, INVALID_STATE_TRANSITION,
 * LOSS_REASON_REQUIRED and SECOND_PERSON_REQUIRED.
 */
export function bookFacilityLoss(
  context: Context,
  action: LossAction,
  request: LossRequest,
): Promise<Facility> {
  const operation = action === 'charge-off' ? 'chargeOffFacility' : 'writeOffFacility'
  return changeFacilityAsBank(context, operation, request, async (facility, found) => {
    const serviced = prepareForLoss(context, found, action)
    requireGrounds(serviced.facility, action, request.reason)
    const policy = await readPolicy(context, facility)
    requireWithinLimit(facility, lossOf(serviced.facility, action), policy)
    return bookLoss(context, serviced, action)
  })
}

/**
 * Returns the facility for which a loss is decided. Before a charge-off, the facility is processed
 * up to today, so that all interest is booked. Throws INVALID_STATE_TRANSITION.
 */
export function prepareForLoss(
  context: Context,
  found: FacilityWithDues,
  action: LossAction,
): ServicedFacility {
  // Checked first, because a facility in a final state cannot be processed up to today.
  transitionFacility(found.facility, stateAfter(action))
  if (action === 'write-off') return startServicing(found.facility, [])
  return servicedToday(context, found)
}

/** Returns the facility after a charge-off or write-off. */
export function bookLoss(
  context: Context,
  serviced: ServicedFacility,
  action: LossAction,
): ServicedFacility {
  if (action === 'write-off') return writeOff(serviced)
  return chargeOff(serviced, dateOf(context.now()))
}

export interface RecoveryRequest {
  facilityId: string
  amount: AmountSent
  sourceArrangementId?: string | null
}

/**
 * Books a recovery on a charged-off facility. Several recoveries are possible until the whole
 * charged-off amount has been recovered. Throws NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND,
 * INVALID_STATE_TRANSITION, INVALID_AMOUNT, EXCEEDS_PAYOFF_AMOUNT, ARRANGEMENT_NOT_FOUND,
 * CURRENCY_MISMATCH and INSUFFICIENT_FUNDS.
 */
export function recoverFacility(context: Context, input: RecoveryRequest): Promise<Facility> {
  return changeFacilityAsBank(context, 'recoverFacility', input, async (facility) => {
    requireRecoverable(facility)
    const amountMinor = readAmount(facility, input.amount)
    requirePositive(amountMinor)
    const accountId = await readSource(context, facility, input.sourceArrangementId)
    const today = dateOf(context.now())
    return recover(startServicing(facility, []), amountMinor, today, accountId)
  })
}

/**
 * Cancels a facility from which nothing was drawn and for which no drawdown is waiting. Throws
 * NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, INVALID_STATE_TRANSITION and STATE_CONFLICT.
 */
export function cancelFacility(context: Context, facilityId: string): Promise<Facility> {
  return changeFacilityAsBank(context, 'cancelFacility', { facilityId }, (facility) => {
    const cancelled = transitionFacility(facility, 'cancelled')
    if (facility.reservedMinor > 0n) {
      const detail = `${facilityId} has drawdowns that are not paid out yet. Cancel them first.`
      throw new Problem('STATE_CONFLICT', { detail, resourceId: facilityId })
    }
    const after = { ...cancelled, nextDueDate: null, nextDueMinor: 0n }
    return Promise.resolve({ ...startServicing(after, []), eventNames: ['cancelled'] as const })
  })
}

function changeFacilityAsBank(
  context: Context,
  operation: string,
  input: { facilityId: string },
  decide: (
    facility: Facility,
    found: FacilityWithDues,
  ) => ServicedFacility | Promise<ServicedFacility>,
): Promise<Facility> {
  requireBank(context)
  return command(context, operation, input, async () => {
    const { facilityId } = input
    const found = await requireFacilityWithDues(context, facilityId)
    const before = found.facility
    const changed = await changeServicedFacility(context, before, await decide(before, found))
    const { facility, writes, events, facts } = changed
    return { result: facility, resourceId: facilityId, retainsKey: true, writes, events, facts }
  })
}

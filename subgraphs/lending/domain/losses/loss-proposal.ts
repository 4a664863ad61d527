import type { LossProposalState, LossAction } from '../../model/losses/enumerations.ts'
import { formatAmount, minorDigits } from '../../../../kernel/domain/money.ts'
import { Problem } from '../problems.ts'
import { assertTransition, type Transitions } from '../../../../kernel/domain/states.ts'
import type { Versioned } from '../../../../kernel/domain/versioned.ts'
import { owedMinorOf, transitionFacility, type Facility } from '../facilities/facility.ts'
import type { ProductPolicy } from '../facilities/product-policy.ts'
import { inputProblem } from '../schedules/refusals.ts'

export const lossProposalTransitions: Transitions<LossProposalState> = {
  proposed: ['approved', 'rejected'],
  approved: [],
  rejected: [],
}

/** A charge-off or write-off that takes effect when a second person approves it. */
export interface LossProposal extends Versioned {
  lossProposalId: string
  facilityId: string
  partyId: string
  action: LossAction
  state: LossProposalState
  reason: string
  /**
   * The amount to charge off or write off: the booked amount once the proposal is approved, the
   * proposed amount otherwise.
   */
  amountMinor: bigint
  currency: string
  proposedBy: string
  decidedBy: string | null
  decidedAt: Date | null
}

/** Returns the state of a facility after an action. */
export function stateAfter(action: LossAction): 'charged-off' | 'written-off' {
  return action === 'charge-off' ? 'charged-off' : 'written-off'
}

/** Returns the amount that an action charges off or writes off, in minor units. */
export function lossOf(facility: Facility, action: LossAction): bigint {
  return action === 'write-off' ? facility.chargedOffMinor : owedMinorOf(facility)
}

/**
 * Checks that an action is possible and that it is justified by arrears or by a given reason. A
 * charged-off facility keeps its delinquency stage, so the stage also justifies the write-off.
 * Throws INVALID_STATE_TRANSITION and LOSS_REASON_REQUIRED.
 */
export function requireGrounds(
  facility: Facility,
  action: LossAction,
  reason: string | null | undefined,
): void {
  transitionFacility(facility, stateAfter(action))
  if (reason?.trim() || facility.delinquencyStage !== 'current') return
  const { facilityId: resourceId } = facility
  const detail = `${resourceId} is not in arrears. Send the reason for the ${action}.`
  throw inputProblem('LOSS_REASON_REQUIRED', '/reason', detail, { resourceId })
}

/** Checks that one person may book a loss alone. Throws SECOND_PERSON_REQUIRED with the limit. */
export function requireWithinLimit(
  { facilityId, currency }: Facility,
  amountMinor: bigint,
  { lossApprovalLimit }: Pick<ProductPolicy, 'lossApprovalLimit'>,
): void {
  if (amountMinor <= limitOf(lossApprovalLimit, currency)) return
  const amount = formatAmount(amountMinor, currency)
  throw new Problem('SECOND_PERSON_REQUIRED', {
    detail:
      `${amount} ${currency} is above the limit of ${lossApprovalLimit} ${currency} for one person. ` +
      'Call proposeFacilityLoss; another person approves the proposal.',
    resourceId: facilityId,
  })
}

/** Converts a limit to minor units. Decimals that the currency does not have are cut off. */
function limitOf(limit: string, currency: string): bigint {
  const digits = minorDigits(currency)
  const [integerPart, fraction = ''] = limit.split('.')
  return BigInt(integerPart + fraction.slice(0, digits).padEnd(digits, '0'))
}

/** Approves or rejects a proposal. Throws INVALID_STATE_TRANSITION. */
export function decideLossProposal(
  proposal: LossProposal,
  state: 'approved' | 'rejected',
  decidedBy: string,
  now: Date,
): LossProposal {
  assertTransition(lossProposalTransitions, proposal.state, state, proposal.lossProposalId)
  return { ...proposal, state, decidedBy, decidedAt: now }
}

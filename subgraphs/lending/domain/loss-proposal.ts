import { formatAmount, minorDigits } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { moveFacility, type Facility } from './facility.ts'
import type { ReliefPolicy } from './relief-policy.ts'
import { fault } from './refusals.ts'
import { requireSecondPerson } from './second-person.ts'

export const lossActions = ['charge-off', 'write-off'] as const
export type LossAction = (typeof lossActions)[number]

export const lossProposalStates = ['proposed', 'approved', 'rejected'] as const
export type LossProposalState = (typeof lossProposalStates)[number]

export const lossProposalMoves: Transitions<LossProposalState> = {
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
  /** The amount to charge off or write off: as proposed, and as booked once approved. */
  amountMinor: bigint
  currency: string
  proposedBy: string
  decidedBy: string | null
  decidedAt: Date | null
}

/** The state an action moves a facility to. */
export function stateAfter(action: LossAction): 'charged-off' | 'written-off' {
  return action === 'charge-off' ? 'charged-off' : 'written-off'
}

/** The amount an action takes off the books, or gives up. */
export function lossOf(facility: Facility, action: LossAction): bigint {
  const { principalMinor, accruedMinor, interestDueMinor, chargedOffMinor } = facility
  return action === 'write-off' ? chargedOffMinor : principalMinor + accruedMinor + interestDueMinor
}

/**
 * Checks that an action is possible and justified: by arrears, or by a reason somebody gave. The
 * stage of arrears is kept when a facility is charged off, so it also justifies the write-off.
 * Rejects with INVALID_STATE_TRANSITION, LOSS_REASON_REQUIRED.
 */
export function requireGrounds(
  facility: Facility,
  action: LossAction,
  reason: string | null | undefined,
): void {
  moveFacility(facility, stateAfter(action))
  if (reason?.trim() || facility.delinquencyStage !== 'current') return
  const code = 'LOSS_REASON_REQUIRED'
  const detail = `${facility.facilityId} is not in arrears. Send the reason for the ${action}.`
  const errors = [fault('/reason', code, detail)]
  throw new Problem(code, { detail, errors, resourceId: facility.facilityId })
}

/** Checks that one person may book a loss. Rejects with SECOND_PERSON_REQUIRED, naming the limit. */
export function requireWithinLimit(
  { facilityId, currency }: Facility,
  amountMinor: bigint,
  { lossApprovalLimit }: Pick<ReliefPolicy, 'lossApprovalLimit'>,
): void {
  if (amountMinor <= limitOf(lossApprovalLimit, currency)) return
  const amount = formatAmount(amountMinor, currency)
  throw new Problem('SECOND_PERSON_REQUIRED', {
    detail:
      `${amount} ${currency} is above the limit of ${lossApprovalLimit} ${currency} for one person. ` +
      'Call proposeFacilityLoss; another person approves it.',
    resourceId: facilityId,
  })
}

/** A limit in minor units; decimals the currency does not have are cut off. */
function limitOf(limit: string, currency: string): bigint {
  const digits = minorDigits(currency)
  const [whole, fraction = ''] = limit.split('.')
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
}

/** Decides a proposal. Rejects with INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES. */
export function decideLossProposal(
  proposal: LossProposal,
  state: 'approved' | 'rejected',
  by: string,
  now: Date,
): LossProposal {
  requireMove(lossProposalMoves, proposal.state, state, proposal.lossProposalId)
  requireSecondPerson(by, proposal.proposedBy, proposal.lossProposalId)
  return { ...proposal, state, decidedBy: by, decidedAt: now }
}

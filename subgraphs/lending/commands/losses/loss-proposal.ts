import type { LossAction } from '../../model/losses/enumerations.ts'
import { requireBank } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Problem } from '../../domain/problems.ts'
import { requireAnotherPerson } from '../../../../kernel/authorization/principals.ts'
import {
  changeRecord,
  createRecord,
  versioned,
  type Decided,
} from '../../../../kernel/writing/records.ts'
import {
  decideLossProposal,
  lossOf,
  requireGrounds,
  type LossProposal,
} from '../../domain/losses/loss-proposal.ts'
import { bookLoss, prepareForLoss } from './loss.ts'
import { requireFacilityWithDues } from '../facilities/require-facility.ts'
import { changeServicedFacility } from '../servicing/service-facility.ts'
import { findUndecidedProposal, lossProposalKind } from '../../store/losses/loss-proposal.ts'

export interface LossProposalRequest {
  lossProposalId?: string | null
  facilityId: string
  action: LossAction
  reason: string
}

/**
 * Proposes a charge-off or write-off of any amount. Nothing is booked until another person approves
 * it. Throws NOT_FOR_DELEGATED_USERS, FACILITY_NOT_FOUND, INVALID_STATE_TRANSITION,
 * LOSS_REASON_REQUIRED, and RESOURCE_EXISTS if the ID is in use or another proposal for the
 * facility is undecided.
 */
export async function proposeFacilityLoss(
  context: Context,
  request: LossProposalRequest,
): Promise<LossProposal> {
  requireBank(context)
  const { lossProposalId, facilityId, action, reason } = request
  const name = 'proposeFacilityLoss'
  return createRecord(context, lossProposalKind, name, request, lossProposalId, async (stamp) => {
    const found = await requireFacilityWithDues(context, facilityId)
    const { facility } = found
    const serviced = prepareForLoss(context, found, action)
    requireGrounds(serviced.facility, action, reason)
    const undecided = await findUndecidedProposal(context, facilityId)
    if (undecided) throw new Problem('RESOURCE_EXISTS', { resourceId: undecided.lossProposalId })
    const record: LossProposal = {
      ...versioned(stamp),
      lossProposalId: stamp.id,
      facilityId,
      partyId: facility.partyId,
      action,
      state: 'proposed',
      reason,
      amountMinor: lossOf(serviced.facility, action),
      currency: facility.currency,
      proposedBy: context.caller.subject,
      decidedBy: null,
      decidedAt: null,
    }
    return { record }
  })
}

/**
 * Approves a proposal and books the loss in the same commit. Throws NOT_FOR_DELEGATED_USERS,
 * LOSS_PROPOSAL_NOT_FOUND, INVALID_STATE_TRANSITION and SEGREGATION_OF_DUTIES.
 */
export async function approveFacilityLoss(
  context: Context,
  lossProposalId: string,
): Promise<LossProposal> {
  return decide(context, lossProposalId, 'approved', async (decided) => {
    const found = await requireFacilityWithDues(context, decided.facilityId)
    const { facility } = found
    const serviced = prepareForLoss(context, found, decided.action)
    const servicedWithLoss = bookLoss(context, serviced, decided.action)
    const { writes, events, facts } = await changeServicedFacility(
      context,
      facility,
      servicedWithLoss,
    )
    const record = { ...decided, amountMinor: lossOf(serviced.facility, decided.action) }
    return { record, writes, events, facts, retainsKey: true }
  })
}

/**
 * Rejects a proposal. Nothing is booked. Throws NOT_FOR_DELEGATED_USERS, LOSS_PROPOSAL_NOT_FOUND,
 * INVALID_STATE_TRANSITION and SEGREGATION_OF_DUTIES.
 */
export async function rejectFacilityLoss(
  context: Context,
  lossProposalId: string,
): Promise<LossProposal> {
  return decide(context, lossProposalId, 'rejected', (record) => Promise.resolve({ record }))
}

function decide(
  context: Context,
  lossProposalId: string,
  state: 'approved' | 'rejected',
  apply: (decided: LossProposal) => Promise<Decided<LossProposal>>,
): Promise<LossProposal> {
  requireBank(context)
  const operation = `${state === 'approved' ? 'approve' : 'reject'}FacilityLoss`
  const event = `lending.loss-proposal.${state}` as const
  const input = { lossProposalId }
  return changeRecord(
    context,
    lossProposalKind,
    operation,
    input,
    lossProposalId,
    event,
    async (before, now) => {
      const detail = 'The person who proposed a loss cannot decide on it.'
      await requireAnotherPerson(context, [before.proposedBy], {
        resourceId: lossProposalId,
        detail,
      })
      return apply(decideLossProposal(before, state, context.caller.subject, now))
    },
  )
}

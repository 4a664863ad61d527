import type { Prisma } from '../../../../prisma/client/client.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../../kernel/writing/records.ts'
import { tableOf } from '../../../../kernel/writing/table.ts'
import type { LossProposal } from '../../domain/losses/loss-proposal.ts'
import type { LossProposalEvent } from '../../events.ts'

const table = tableOf<LossProposal, Prisma.LossProposalGetPayload<object>>(
  'lending.loss_proposal',
  'lossProposalId',
  ({ db }) => db.lossProposal,
  (row) => ({
    ...row,
    action: row.action as LossProposal['action'],
    state: row.state as LossProposal['state'],
  }),
)

/** Returns the sort key of a loss proposal: its creation time and its ID. */
export const lossProposalSortKey = ({
  createdAt,
  lossProposalId,
}: Pick<LossProposal, 'createdAt' | 'lossProposalId'>) => [createdAt.toISOString(), lossProposalId]

export const lossProposalKind: RecordKind<LossProposal, LossProposalEvent> = {
  ...table,
  entity: 'loss-proposal',
  id: 'lossProposal',
  notFound: 'LOSS_PROPOSAL_NOT_FOUND',
  created: 'lending.loss-proposal.proposed',
  // Proposals are internal to the bank: the borrower is notified only of the loss itself.
  ownersOf: () => [],
  snapshot: (proposal) => ({
    lossProposalId: proposal.lossProposalId,
    facilityId: proposal.facilityId,
    action: proposal.action,
    state: proposal.state,
    amountMinor: proposal.amountMinor.toString(),
    currency: proposal.currency,
    reason: proposal.reason,
    proposedBy: proposal.proposedBy,
    decidedBy: proposal.decidedBy,
  }),
  isPublished: false,
}

/**
 * Finds the undecided proposal for a facility, of which there is at most one; null if there is
 * none.
 */
export async function findUndecidedProposal(
  context: Context,
  facilityId: string,
): Promise<LossProposal | null> {
  const where = { facilityId, state: 'proposed' }
  const [found] = await table.findMany(context, { where, take: 1 })
  return found ?? null
}

export interface LossProposalFilter {
  facilityId: string | null
  state: LossProposal['state'] | null
}

/** Lists loss proposals in the order in which they were created. */
export function listLossProposals(
  context: Context,
  filter: LossProposalFilter,
  after: string[] | null,
  take: number,
): Promise<LossProposal[]> {
  return table.list(context, filter, after, take)
}

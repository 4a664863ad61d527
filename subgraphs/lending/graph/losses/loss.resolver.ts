import type { Context } from '../../../../kernel/environment/context.ts'
import { id, object, oneOf, text } from '../../../../kernel/domain/model.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { moneyOut } from '../../../../kernel/graph/money.types.ts'
import { listing, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import {
  approveFacilityLoss,
  proposeFacilityLoss,
  rejectFacilityLoss,
} from '../../commands/losses/loss-proposal.ts'
import { bookFacilityLoss, recoverFacility } from '../../commands/losses/loss.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import type { LossProposal as Proposal } from '../../domain/losses/loss-proposal.ts'
import { Facility } from '../../model/facilities/facility.ts'
import { LossProposalState } from '../../model/losses/enumerations.ts'
import {
  LossProposal,
  ProposeFacilityLossInput,
  RecoverFacilityInput,
} from '../../model/losses/loss.ts'
import { loadFacility } from '../../store/facilities/facility.ts'
import {
  listLossProposals,
  lossProposalKind,
  lossProposalSortKey,
} from '../../store/losses/loss-proposal.ts'

const lossProposalId = id('The ID of the loss proposal.')
const lossArguments = {
  facilityId: id('The ID of the facility.'),
  reason: text(
    'The reason for the loss. Required unless the facility is in arrears, or was in arrears when ' +
      'it was charged off.',
  ).orNull(),
}

/** Operations on charge-offs, write-offs and recoveries. */
export const LossOperations = resolverOf({
  queries: {
    lossProposal: operation({
      description: 'Returns a loss proposal. Not available to delegated users.',
      scope: 'lending:read',
      isForBankOnly: true,
      returns: LossProposal,
      args: { lossProposalId },
      async resolve(context, args) {
        const found = await lossProposalKind.find(context, args.lossProposalId)
        return found && proposalOut(found)
      },
    }),
    lossProposals: listing(LossProposal, {
      description:
        'Lists proposed charge-offs and write-offs in the order in which they were proposed. Not ' +
        'available to delegated users.',
      scope: 'lending:read',
      isForBankOnly: true,
      filters: {
        facilityId: id('Returns only proposals for this facility.').orNull(),
        state: oneOf(LossProposalState, 'Returns only proposals in this state.').orNull(),
      },
      list: async (context, filter, after, take) =>
        (await listLossProposals(context, filter, after, take)).map(proposalOut),
      sortKey: lossProposalSortKey,
    }),
  },
  mutations: {
    chargeOffFacility: operation({
      description:
        'Charges off a facility: removes the receivable from the books as a loan loss. Amounts ' +
        'above the limit for one person require `proposeFacilityLoss`. Not available to delegated ' +
        'users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Facility,
      args: lossArguments,
      resolve: (context, args) => bookFacilityLoss(context, 'charge-off', args),
    }),
    writeOffFacility: operation({
      description:
        'Writes off a charged-off facility, which ends recovery. Amounts above the limit for one ' +
        'person require `proposeFacilityLoss`. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Facility,
      args: lossArguments,
      resolve: (context, args) => bookFacilityLoss(context, 'write-off', args),
    }),
    recoverFacility: operation({
      description:
        'Books a recovery on a charged-off facility. The facility becomes `RECOVERED` when ' +
        'everything has been recovered. Not available to delegated users.',
      scope: 'lending:write',
      returns: Facility,
      args: { input: object(RecoverFacilityInput, 'The recovery to book.') },
      resolve: (context, { input }) => recoverFacility(context, input),
    }),
    proposeFacilityLoss: operation({
      description:
        'Proposes a charge-off or write-off of any amount, which another person has to approve. ' +
        'Not available to delegated users.',
      scope: 'lending:write',
      returns: LossProposal,
      args: { input: object(ProposeFacilityLossInput, 'The loss to propose.') },
      resolve: async (context, { input }) => proposalOut(await proposeFacilityLoss(context, input)),
    }),
    approveFacilityLoss: operation({
      description:
        'Approves a proposed charge-off or write-off and books it. The person who proposed it ' +
        'cannot approve it. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: LossProposal,
      args: { lossProposalId },
      resolve: async (context, args) =>
        proposalOut(await approveFacilityLoss(context, args.lossProposalId)),
    }),
    rejectFacilityLoss: operation({
      description:
        'Rejects a proposed charge-off or write-off; nothing is booked. The person who proposed ' +
        'it cannot reject it. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: LossProposal,
      args: { lossProposalId },
      resolve: async (context, args) =>
        proposalOut(await rejectFacilityLoss(context, args.lossProposalId)),
    }),
  },
})

@Resolver(() => LossProposal)
export class LossProposalResolver {
  @FieldResolver(() => Facility)
  facility(
    @Root() { facility }: LossProposal,
    @Ctx() context: Context,
  ): Promise<FacilityRecord | null> {
    return loadFacility(context, facility.facilityId)
  }
}

function proposalOut({ amountMinor, currency, facilityId, ...proposal }: Proposal): LossProposal {
  return { ...proposal, facility: { facilityId }, amount: moneyOut({ amountMinor, currency }) }
}

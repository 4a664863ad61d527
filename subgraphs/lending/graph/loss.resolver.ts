import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { moneyOut } from '../../_kernel/graph/money.types.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import type { Facility as Domain } from '../domain/facility.ts'
import type { LossProposal as Proposal, LossProposalState } from '../domain/loss-proposal.ts'
import { approveFacilityLoss, proposeFacilityLoss, rejectFacilityLoss } from '../loss-proposals.ts'
import { bookFacilityLoss, recoverFacility } from '../losses.ts'
import { loadFacility } from '../store/facility.ts'
import { listLossProposals, lossProposalKind } from '../store/loss-proposal.ts'
import { Facility } from './facility.types.ts'
import {
  LossProposal,
  LossProposalConnection,
  LossProposalStateEnum,
  ProposeFacilityLossInput,
  RecoverFacilityInput,
} from './loss.types.ts'

const reason = {
  nullable: true,
  description: 'Why; required unless the facility is in arrears.',
}
const lossProposalId = { description: 'The id of the proposal.' }

/** Charge-offs, write-offs and recoveries. */
@Resolver(() => LossProposal)
export class LossResolver {
  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Charges off a facility: takes the receivable off the books, against loan losses. Amounts above the limit for one person need `proposeFacilityLoss`. Not for delegated users.',
  })
  chargeOffFacility(
    @Arg('facilityId', () => ID, { description: 'The facility.' }) facilityId: string,
    @Arg('reason', () => TextScalar, reason) why: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return bookFacilityLoss(context, 'charge-off', { facilityId, reason: why ?? null })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Writes off a charged-off facility, which ends recovery. Amounts above the limit for one person need `proposeFacilityLoss`. Not for delegated users.',
  })
  writeOffFacility(
    @Arg('facilityId', () => ID, { description: 'The facility.' }) facilityId: string,
    @Arg('reason', () => TextScalar, reason) why: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return bookFacilityLoss(context, 'write-off', { facilityId, reason: why ?? null })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Books a recovery on a charged-off facility. The facility becomes RECOVERED when everything has been recovered. Not for delegated users.',
  })
  recoverFacility(
    @Arg('input', () => RecoverFacilityInput) input: RecoverFacilityInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return recoverFacility(context, input)
  }

  @Requires('lending:write')
  @Mutation(() => LossProposal, {
    description:
      'Proposes a charge-off or write-off of any amount. Another person has to approve it. Not for delegated users.',
  })
  async proposeFacilityLoss(
    @Arg('input', () => ProposeFacilityLossInput) input: ProposeFacilityLossInput,
    @Ctx() context: Context,
  ): Promise<LossProposal> {
    return proposalOut(await proposeFacilityLoss(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => LossProposal, {
    description:
      'Approves a proposed charge-off or write-off and books it. The person who proposed it cannot approve it.',
  })
  async approveFacilityLoss(
    @Arg('lossProposalId', () => ID, lossProposalId) id: string,
    @Ctx() context: Context,
  ): Promise<LossProposal> {
    return proposalOut(await approveFacilityLoss(context, id))
  }

  @Requires('lending:write')
  @Mutation(() => LossProposal, {
    description:
      'Rejects a proposed charge-off or write-off; nothing is booked. The person who proposed it cannot reject it.',
  })
  async rejectFacilityLoss(
    @Arg('lossProposalId', () => ID, lossProposalId) id: string,
    @Ctx() context: Context,
  ): Promise<LossProposal> {
    return proposalOut(await rejectFacilityLoss(context, id))
  }

  @Requires('lending:read')
  @Query(() => LossProposal, {
    nullable: true,
    description: 'Returns a proposal.',
  })
  async lossProposal(
    @Arg('lossProposalId', () => ID, lossProposalId) id: string,
    @Ctx() context: Context,
  ): Promise<LossProposal | null> {
    requireBank(context)
    const found = await lossProposalKind.find(context, id)
    return found && proposalOut(found)
  }

  @Requires('lending:read')
  @Query(() => LossProposalConnection, {
    description: 'Lists proposed charge-offs and write-offs in the order in which they were made.',
  })
  lossProposals(
    @Arg('facilityId', () => ID, {
      nullable: true,
      description: 'Only proposals for this facility.',
    })
    facilityId: string | null,
    @Arg('state', () => LossProposalStateEnum, {
      nullable: true,
      description: 'Only proposals in this state.',
    })
    state: LossProposalState | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The page size, 1 to 200; 50 by default.',
    })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' })
    after: string | null,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const filter = { facilityId: facilityId ?? null, state: state ?? null }
    return readPage(
      context,
      'lossProposals',
      filter,
      { first, after },
      async (from, take) =>
        (await listLossProposals(context, filter, from, take)).map((each) => proposalOut(each)),
      ({ createdAt, lossProposalId: id }) => [createdAt.toISOString(), id],
    )
  }

  @FieldResolver(() => Facility)
  facility(@Root() { facility }: LossProposal, @Ctx() context: Context): Promise<Domain | null> {
    return loadFacility(context, facility.facilityId)
  }
}

function proposalOut({ amountMinor, currency, facilityId, ...proposal }: Proposal): LossProposal {
  return { ...proposal, facility: { facilityId }, amount: moneyOut({ amountMinor, currency }) }
}

import { LossProposalState } from '../../model/losses/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import { moneyOut } from '../../../../kernel/graph/money.types.ts'
import { TextScalar } from '../../../../kernel/graph/scalars.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import type { LossProposal as Proposal } from '../../domain/losses/loss-proposal.ts'
import {
  approveFacilityLoss,
  proposeFacilityLoss,
  rejectFacilityLoss,
} from '../../commands/losses/loss-proposal.ts'
import { bookFacilityLoss, recoverFacility } from '../../commands/losses/loss.ts'
import { loadFacility } from '../../store/facilities/facility.ts'
import { listLossProposals, lossProposalKind } from '../../store/losses/loss-proposal.ts'
import { Facility } from '../../model/facilities/facility.ts'
import {
  LossProposal,
  LossProposalConnection,
  ProposeFacilityLossInput,
  RecoverFacilityInput,
} from '../../model/losses/loss.ts'

const reasonArgument = {
  nullable: true,
  description:
    'The reason for the loss. Required unless the facility is in arrears, or was in arrears when ' +
    'it was charged off.',
}
const proposalIdArgument = { description: 'The ID of the loss proposal.' }

/** Operations on charge-offs, write-offs and recoveries. */
@Resolver(() => LossProposal)
export class LossResolver {
  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Charges off a facility: removes the receivable from the books as a loan loss. Amounts ' +
      'above the limit for one person require `proposeFacilityLoss`. Not available to delegated ' +
      'users.',
  })
  chargeOffFacility(
    @Arg('facilityId', () => ID, { description: 'The ID of the facility.' }) facilityId: string,
    @Arg('reason', () => TextScalar, reasonArgument) reason: string | null,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    return bookFacilityLoss(context, 'charge-off', { facilityId, reason: reason ?? null })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Writes off a charged-off facility, which ends recovery. Amounts above the limit for one ' +
      'person require `proposeFacilityLoss`. Not available to delegated users.',
  })
  writeOffFacility(
    @Arg('facilityId', () => ID, { description: 'The ID of the facility.' }) facilityId: string,
    @Arg('reason', () => TextScalar, reasonArgument) reason: string | null,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    return bookFacilityLoss(context, 'write-off', { facilityId, reason: reason ?? null })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Books a recovery on a charged-off facility. The facility becomes `RECOVERED` when ' +
      'everything has been recovered. Not available to delegated users.',
  })
  recoverFacility(
    @Arg('input', () => RecoverFacilityInput, { description: 'The recovery to book.' })
    input: RecoverFacilityInput,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    return recoverFacility(context, input)
  }

  @Requires('lending:write')
  @Mutation(() => LossProposal, {
    description:
      'Proposes a charge-off or write-off of any amount, which another person has to approve. ' +
      'Not available to delegated users.',
  })
  async proposeFacilityLoss(
    @Arg('input', () => ProposeFacilityLossInput, { description: 'The loss to propose.' })
    input: ProposeFacilityLossInput,
    @Ctx() context: Context,
  ): Promise<LossProposal> {
    return proposalOut(await proposeFacilityLoss(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => LossProposal, {
    description:
      'Approves a proposed charge-off or write-off and books it. The person who proposed it ' +
      'cannot approve it. Not available to delegated users.',
  })
  async approveFacilityLoss(
    @Arg('lossProposalId', () => ID, proposalIdArgument) id: string,
    @Ctx() context: Context,
  ): Promise<LossProposal> {
    return proposalOut(await approveFacilityLoss(context, id))
  }

  @Requires('lending:write')
  @Mutation(() => LossProposal, {
    description:
      'Rejects a proposed charge-off or write-off; nothing is booked. The person who proposed it ' +
      'cannot reject it. Not available to delegated users.',
  })
  async rejectFacilityLoss(
    @Arg('lossProposalId', () => ID, proposalIdArgument) id: string,
    @Ctx() context: Context,
  ): Promise<LossProposal> {
    return proposalOut(await rejectFacilityLoss(context, id))
  }

  @Requires('lending:read')
  @Query(() => LossProposal, {
    nullable: true,
    description: 'Returns a loss proposal. Not available to delegated users.',
  })
  async lossProposal(
    @Arg('lossProposalId', () => ID, proposalIdArgument) id: string,
    @Ctx() context: Context,
  ): Promise<LossProposal | null> {
    requireBank(context)
    const found = await lossProposalKind.find(context, id)
    return found && proposalOut(found)
  }

  @Requires('lending:read')
  @Query(() => LossProposalConnection, {
    description:
      'Lists proposed charge-offs and write-offs in the order in which they were proposed. Not ' +
      'available to delegated users.',
  })
  lossProposals(
    @Arg('facilityId', () => ID, {
      nullable: true,
      description: 'Returns only proposals for this facility.',
    })
    facilityId: string | null,
    @Arg('state', () => LossProposalState, {
      nullable: true,
      description: 'Returns only proposals in this state.',
    })
    state: LossProposalState | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
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

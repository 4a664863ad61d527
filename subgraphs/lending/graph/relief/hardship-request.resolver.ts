import { HardshipStatus } from '../../model/relief/enumerations.ts'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Problem } from '../../domain/problems.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import * as commands from '../../commands/relief/hardship-request.ts'
import {
  listHardshipRequests,
  loadHardshipRequest,
  type HardshipFilter,
} from '../../store/relief/hardship-request.ts'
import {
  CreateHardshipRequestInput,
  HardshipReliefInput,
  ReviewHardshipRequestInput,
} from '../../model/relief/hardship-request-inputs.ts'
import {
  HardshipReliefPreview,
  HardshipRequest,
  HardshipRequestConnection,
} from '../../model/relief/hardship-request.ts'
import { hardshipRequestOut, reliefPreviewOut } from './relief-out.ts'

@Resolver(() => HardshipRequest)
export class HardshipRequestResolver {
  @Requires('lending:read')
  @Query(() => HardshipRequest, { nullable: true, description: 'Returns a hardship request.' })
  async hardshipRequest(
    @Arg('hardshipRequestId', () => ID, { description: 'The ID of the hardship request.' })
    hardshipRequestId: string,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    const request = await loadHardshipRequest(context, hardshipRequestId)
    if (request) return hardshipRequestOut(request)
    throw new Problem('HARDSHIP_REQUEST_NOT_FOUND', { resourceId: hardshipRequestId })
  }

  @Requires('lending:read')
  @Query(() => HardshipRequestConnection, {
    description: 'Lists hardship requests in the order in which they were submitted.',
  })
  hardshipRequests(
    @Arg('loanId', () => ID, {
      nullable: true,
      description: 'Returns only requests for this loan.',
    })
    loanId: string | null,
    @Arg('status', () => HardshipStatus, {
      nullable: true,
      description: 'Returns only requests in this state.',
    })
    status: HardshipStatus | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return hardshipPage(context, { loanId: loanId ?? null, status: status ?? null }, first, after)
  }

  @Requires('lending:read')
  @Query(() => HardshipReliefPreview, {
    description:
      'Returns the effects that approving a hardship request would have. Nothing is stored.',
  })
  async hardshipReliefPreview(
    @Arg('hardshipRequestId', () => ID, { description: 'The ID of the hardship request.' })
    hardshipRequestId: string,
    @Arg('relief', () => HardshipReliefInput, { description: 'The relief to preview.' })
    relief: HardshipReliefInput,
    @Ctx() context: Context,
  ): Promise<HardshipReliefPreview> {
    return reliefPreviewOut(await commands.previewRelief(context, hardshipRequestId, relief))
  }

  @Requires('lending:write')
  @Mutation(() => HardshipRequest, {
    description:
      'Submits a hardship request for a loan. A case for the request is opened shortly afterwards.',
  })
  async createHardshipRequest(
    @Arg('input', () => CreateHardshipRequestInput, { description: 'The request to submit.' })
    input: CreateHardshipRequestInput,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    return hardshipRequestOut(await commands.createHardshipRequest(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => HardshipRequest, {
    description:
      'Starts the review of a hardship request, approves it or declines it. The person who ' +
      'submitted the request cannot approve or decline it. Not available to delegated users.',
  })
  async reviewHardshipRequest(
    @Arg('input', () => ReviewHardshipRequestInput, {
      description: 'The request to review, and the action of the reviewer.',
    })
    input: ReviewHardshipRequestInput,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    return hardshipRequestOut(await commands.reviewHardshipRequest(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => HardshipRequest, {
    description: 'Withdraws a hardship request that has not been decided.',
  })
  async cancelHardshipRequest(
    @Arg('hardshipRequestId', () => ID, { description: 'The ID of the hardship request.' })
    hardshipRequestId: string,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    return hardshipRequestOut(await commands.cancelHardshipRequest(context, hardshipRequestId))
  }
}

/** Returns one page of the hardship requests that the caller may read. */
export function hardshipPage(
  context: Context,
  filter: HardshipFilter,
  first: number | null,
  after: string | null,
) {
  return readPage(
    context,
    'hardshipRequests',
    { ...filter },
    { first, after },
    async (from, take) =>
      (await listHardshipRequests(context, filter, from, take)).map(hardshipRequestOut),
    ({ submittedAt, hardshipRequestId }) => [submittedAt.toISOString(), hardshipRequestId],
  )
}

import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import type { HardshipStatus } from '../domain/hardship-request.ts'
import * as commands from '../hardship-requests.ts'
import {
  listHardshipRequests,
  loadHardshipRequest,
  type HardshipFilter,
} from '../store/hardship-request.ts'
import {
  CreateHardshipRequestInput,
  HardshipReliefInput,
  HardshipReliefPreview,
  HardshipRequest,
  HardshipRequestConnection,
  HardshipStatusEnum,
  ReviewHardshipRequestInput,
} from './hardship-request.types.ts'
import { hardshipRequestOut, reliefPreviewOut } from './relief-out.ts'

@Resolver(() => HardshipRequest)
export class HardshipRequestResolver {
  @Requires('lending:read')
  @Query(() => HardshipRequest, { nullable: true, description: 'One hardship request.' })
  async hardshipRequest(
    @Arg('hardshipRequestId', () => ID) hardshipRequestId: string,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    const request = await loadHardshipRequest(context, hardshipRequestId)
    if (request) return hardshipRequestOut(request)
    throw new Problem('HARDSHIP_REQUEST_NOT_FOUND', { resourceId: hardshipRequestId })
  }

  @Requires('lending:read')
  @Query(() => HardshipRequestConnection, {
    description: 'Hardship requests in the order they were submitted.',
  })
  hardshipRequests(
    @Arg('loanId', () => ID, { nullable: true }) loanId: string | null,
    @Arg('status', () => HardshipStatusEnum, { nullable: true }) status: HardshipStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ) {
    return hardshipPage(context, { loanId: loanId ?? null, status: status ?? null }, first, after)
  }

  @Requires('lending:read')
  @Query(() => HardshipReliefPreview, {
    description: 'What granting a hardship request would do. Nothing is stored.',
  })
  async hardshipReliefPreview(
    @Arg('hardshipRequestId', () => ID) hardshipRequestId: string,
    @Arg('relief', () => HardshipReliefInput) relief: HardshipReliefInput,
    @Ctx() context: Context,
  ): Promise<HardshipReliefPreview> {
    return reliefPreviewOut(await commands.previewRelief(context, hardshipRequestId, relief))
  }

  @Requires('lending:write')
  @Mutation(() => HardshipRequest, { description: 'Asks for other terms of a loan, in hardship.' })
  async createHardshipRequest(
    @Arg('input', () => CreateHardshipRequestInput) input: CreateHardshipRequestInput,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    return hardshipRequestOut(await commands.createHardshipRequest(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => HardshipRequest, {
    description:
      'Takes a request in hand, grants it or declines it. Somebody else than submitted it decides.',
  })
  async reviewHardshipRequest(
    @Arg('input', () => ReviewHardshipRequestInput) input: ReviewHardshipRequestInput,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    return hardshipRequestOut(await commands.reviewHardshipRequest(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => HardshipRequest, { description: 'Gives a request up.' })
  async cancelHardshipRequest(
    @Arg('hardshipRequestId', () => ID) hardshipRequestId: string,
    @Ctx() context: Context,
  ): Promise<HardshipRequest> {
    return hardshipRequestOut(await commands.cancelHardshipRequest(context, hardshipRequestId))
  }
}

/** One page of requests under the caller's own rights. */
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

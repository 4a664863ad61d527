import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import * as commands from '../drawdowns.ts'
import { loadDrawdown } from '../store/drawdown.ts'
import { CreateDrawdownInput, Drawdown, DrawdownPreview } from './drawdown.types.ts'
import { drawdownOut, previewOut } from './facility-out.ts'

@Resolver(() => Drawdown)
export class DrawdownResolver {
  @Requires('lending:write')
  @Mutation(() => Drawdown, {
    description:
      'Draws from a facility: paid out at once, on its value date, or when it was approved.',
  })
  async createDrawdown(
    @Arg('input', () => CreateDrawdownInput) input: CreateDrawdownInput,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.createDrawdown(context, input))
  }

  @Requires('lending:read')
  @Query(() => DrawdownPreview, { description: 'What a drawdown would do. Nothing is stored.' })
  async drawdownPreview(
    @Arg('input', () => CreateDrawdownInput) input: CreateDrawdownInput,
    @Ctx() context: Context,
  ): Promise<DrawdownPreview> {
    return previewOut(await commands.planDrawdown(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, { description: 'Approves a drawdown; paid out when its day has come.' })
  async approveDrawdown(
    @Arg('drawdownId', () => ID) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.approveDrawdown(context, drawdownId))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, { description: 'Does not pay a requested drawdown out.' })
  async declineDrawdown(
    @Arg('drawdownId', () => ID) drawdownId: string,
    @Arg('reasonCode', () => LabelScalar, { nullable: true }) reasonCode: string | null,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.declineDrawdown(context, drawdownId, reasonCode ?? null))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, { description: 'Gives up a drawdown that was not paid out.' })
  async cancelDrawdown(
    @Arg('drawdownId', () => ID) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.cancelDrawdown(context, drawdownId))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, {
    description: 'Takes a drawdown back: the money, and the schedule as if it had not been.',
  })
  async reverseDrawdown(
    @Arg('drawdownId', () => ID) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.reverseDrawdown(context, drawdownId))
  }

  @Requires('lending:read')
  @Query(() => Drawdown, { nullable: true, description: 'One drawdown.' })
  async drawdown(
    @Arg('drawdownId', () => ID) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    const drawdown = await loadDrawdown(context, drawdownId)
    if (drawdown) return drawdownOut(drawdown)
    throw new Problem('DRAWDOWN_NOT_FOUND', { resourceId: drawdownId })
  }
}

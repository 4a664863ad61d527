import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Problem } from '../../domain/problems.ts'
import { LabelScalar } from '../../../../kernel/graph/scalars.ts'
import * as commands from '../../commands/drawdowns/drawdown.ts'
import { previewDrawdown } from '../../commands/drawdowns/drawdown-request.ts'
import { loadDrawdown } from '../../store/drawdowns/drawdown.ts'
import { CreateDrawdownInput, Drawdown, DrawdownPreview } from '../../model/drawdowns/drawdown.ts'
import { drawdownOut, previewOut } from './drawdown-out.ts'

@Resolver(() => Drawdown)
export class DrawdownResolver {
  @Requires('lending:write')
  @Mutation(() => Drawdown, {
    description:
      'Creates a drawdown. The drawdown is paid out immediately, or on its value date if that ' +
      'date is later. If the facility requires approval, the payout also waits for the approval.',
  })
  async createDrawdown(
    @Arg('input', () => CreateDrawdownInput, { description: 'The drawdown to create.' })
    input: CreateDrawdownInput,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.createDrawdown(context, input))
  }

  @Requires('lending:read')
  @Query(() => DrawdownPreview, {
    description: 'Returns the effects that a drawdown would have. Nothing is stored.',
  })
  async drawdownPreview(
    @Arg('input', () => CreateDrawdownInput, { description: 'The drawdown to preview.' })
    input: CreateDrawdownInput,
    @Ctx() context: Context,
  ): Promise<DrawdownPreview> {
    return previewOut(await previewDrawdown(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, {
    description:
      'Approves a requested drawdown. The drawdown is paid out immediately, or on its value date ' +
      'if that date is later. Not available to delegated users.',
  })
  async approveDrawdown(
    @Arg('drawdownId', () => ID, { description: 'The ID of the drawdown.' }) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.approveDrawdown(context, drawdownId))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, {
    description: 'Declines a requested drawdown. Not available to delegated users.',
  })
  async declineDrawdown(
    @Arg('drawdownId', () => ID, { description: 'The ID of the drawdown.' }) drawdownId: string,
    @Arg('reasonCode', () => LabelScalar, {
      nullable: true,
      description: 'The reason why the drawdown is declined.',
    })
    reasonCode: string | null,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.declineDrawdown(context, drawdownId, reasonCode ?? null))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, { description: 'Cancels a drawdown that has not been paid out.' })
  async cancelDrawdown(
    @Arg('drawdownId', () => ID, { description: 'The ID of the drawdown.' }) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.cancelDrawdown(context, drawdownId))
  }

  @Requires('lending:write')
  @Mutation(() => Drawdown, {
    description:
      'Reverses a drawdown that was paid out: the payout is reversed in the books, and the ' +
      'schedule is restored as if the drawdown had not been made. Not available to delegated ' +
      'users.',
  })
  async reverseDrawdown(
    @Arg('drawdownId', () => ID, { description: 'The ID of the drawdown.' }) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    return drawdownOut(await commands.reverseDrawdown(context, drawdownId))
  }

  @Requires('lending:read')
  @Query(() => Drawdown, { nullable: true, description: 'Returns a drawdown.' })
  async drawdown(
    @Arg('drawdownId', () => ID, { description: 'The ID of the drawdown.' }) drawdownId: string,
    @Ctx() context: Context,
  ): Promise<Drawdown> {
    const drawdown = await loadDrawdown(context, drawdownId)
    if (drawdown) return drawdownOut(drawdown)
    throw new Problem('DRAWDOWN_NOT_FOUND', { resourceId: drawdownId })
  }
}

import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { JsonObjectScalar, TextScalar } from '../../_kernel/scalars.ts'
import { approveToolCall, editToolCall, rejectToolCall } from '../approvals.ts'
import { setKillSwitch } from '../kill-switch.ts'
import { listSwitches } from '../store/kill-switch.ts'
import { toolCallOut } from './out.ts'
import { ApproveToolCallInput, AssistKillSwitch, AssistToolCall } from './tool-call.types.ts'

/** What people decide about assistants. */
@Resolver()
export class AssistGovernanceResolver {
  @Requires('assist:approve')
  @Mutation(() => AssistToolCall, {
    description:
      'Approves exactly these arguments, as another person than who asked; it is done at once.',
  })
  async approveToolCall(
    @Arg('input', () => ApproveToolCallInput) input: ApproveToolCallInput,
    @Ctx() context: Context,
  ): Promise<AssistToolCall> {
    return toolCallOut(await approveToolCall(context, input))
  }

  @Requires('assist:approve')
  @Mutation(() => AssistToolCall, { description: 'Refuses what an assistant wants to do.' })
  async rejectToolCall(
    @Arg('toolCallId', () => ID) toolCallId: string,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<AssistToolCall> {
    return toolCallOut(await rejectToolCall(context, { toolCallId, reason }))
  }

  @Requires('assist:approve')
  @Mutation(() => AssistToolCall, {
    description: 'Changes what waits for approval; its hash changes, and a third person approves.',
  })
  async editToolCall(
    @Arg('toolCallId', () => ID) toolCallId: string,
    @Arg('arguments', () => JsonObjectScalar) args: Record<string, unknown>,
    @Ctx() context: Context,
  ): Promise<AssistToolCall> {
    return toolCallOut(await editToolCall(context, { toolCallId, args }))
  }

  @Requires('operations:manage')
  @Mutation(() => AssistKillSwitch, {
    description: 'Switches assistants off or on: all, a type, a model or a tool, within a second.',
  })
  setAssistKillSwitch(
    @Arg('scope', () => String, {
      description: '`all`, `type:<type>`, `model:<alias>` or `tool:<name>`.',
    })
    scope: string,
    @Arg('isOn', () => Boolean, { description: 'On: what it names does not run.' }) isOn: boolean,
    @Arg('reason', () => TextScalar, { nullable: true }) reason: string | null,
    @Ctx() context: Context,
  ): Promise<AssistKillSwitch> {
    return setKillSwitch(context, { scope, isOn, reason })
  }

  @Requires('operations:read')
  @Query(() => [AssistKillSwitch], { description: 'What is switched off, or was.' })
  assistKillSwitches(@Ctx() context: Context): Promise<AssistKillSwitch[]> {
    return listSwitches(context)
  }
}

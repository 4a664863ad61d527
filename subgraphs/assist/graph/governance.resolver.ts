import { KillSwitch, ApproveToolCallInput, AssistToolCall } from '../model/tool-call.ts'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { JsonObjectScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { approveToolCall, editToolCall, rejectToolCall } from '../commands/approval.ts'
import { setKillSwitch } from '../commands/kill-switch.ts'
import { listSwitches } from '../store/kill-switch.ts'
import { toolCallOut } from './out.ts'

/** Mutations that decide on tool calls, and operations on kill switches. */
@Resolver()
export class AssistGovernanceResolver {
  @Requires('assist:approve')
  @Mutation(() => AssistToolCall, {
    description:
      'Approves a tool call with the reviewed arguments and executes it at once. The user or ' +
      'client who opened the session, or who requested or edited the tool call, cannot approve it.',
  })
  async approveToolCall(
    @Arg('input', () => ApproveToolCallInput, { description: 'The approval.' })
    input: ApproveToolCallInput,
    @Ctx() context: Context,
  ): Promise<AssistToolCall> {
    return toolCallOut(await approveToolCall(context, input))
  }

  @Requires('assist:approve')
  @Mutation(() => AssistToolCall, { description: 'Rejects a tool call that waits for approval.' })
  async rejectToolCall(
    @Arg('toolCallId', () => ID, { description: 'The ID of the tool call.' })
    toolCallId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'Why the tool call is rejected.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<AssistToolCall> {
    return toolCallOut(await rejectToolCall(context, { toolCallId, reason }))
  }

  @Requires('assist:approve')
  @Mutation(() => AssistToolCall, {
    description:
      'Changes the arguments of a tool call that waits for approval. Earlier reviews become ' +
      'void, and the editor cannot approve the tool call.',
  })
  async editToolCall(
    @Arg('toolCallId', () => ID, { description: 'The ID of the tool call.' })
    toolCallId: string,
    @Arg('arguments', () => JsonObjectScalar, {
      description: 'The new arguments. They replace all previous arguments.',
    })
    args: Record<string, unknown>,
    @Ctx() context: Context,
  ): Promise<AssistToolCall> {
    return toolCallOut(await editToolCall(context, { toolCallId, args }))
  }

  @Requires('operations:manage')
  @Mutation(() => KillSwitch, {
    description:
      'Disables or re-enables all assistants, a type of assistant, a model or a tool. Affected ' +
      'answers in progress stop within a second. A switch for a tool does not stop ' +
      'answers; it only blocks calls to the tool.',
  })
  setAssistKillSwitch(
    @Arg('scope', () => String, {
      description:
        'What the switch disables: everything (`all`), a type of assistant (`type:<type>`), a ' +
        'model (`model:<alias>`) or a tool (`tool:<name>`).',
    })
    scope: string,
    @Arg('isOn', () => Boolean, {
      description:
        'Whether the switch is active. An active switch disables everything in its `scope`.',
    })
    isOn: boolean,
    @Arg('reason', () => TextScalar, { nullable: true, description: 'Why the switch is changed.' })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<KillSwitch> {
    return setKillSwitch(context, { scope, isOn, reason })
  }

  @Requires('operations:read')
  @Query(() => [KillSwitch], {
    description: 'Returns all kill switches that were ever set, active or not.',
  })
  assistKillSwitches(@Ctx() context: Context): Promise<KillSwitch[]> {
    return listSwitches(context)
  }
}

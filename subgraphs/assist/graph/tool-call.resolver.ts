import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { JsonObjectScalar } from '../../_kernel/scalars.ts'
import type { ToolCall } from '../domain/tool-call.ts'
import { effectOf } from '../effect.ts'
import { AssistToolCall } from './tool-call.types.ts'

@Resolver(() => AssistToolCall)
export class AssistToolCallResolver {
  @Requires('assist:use')
  @FieldResolver(() => JsonObjectScalar, {
    nullable: true,
    description:
      'What the tool call would change if it were approved now, such as a loan before and ' +
      'after, or `error` and `code` if it would be refused. Null unless the tool call waits for ' +
      'approval and has a preview.',
  })
  effect(@Root() call: AssistToolCall, @Ctx() context: Context): Promise<object | null> {
    const { toolCallId, sessionId, name, state, arguments: args } = call
    return effectOf(context, { toolCallId, sessionId, name, state, args: args as ToolCall['args'] })
  }
}

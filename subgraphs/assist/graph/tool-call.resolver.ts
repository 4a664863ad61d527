import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { JsonObjectScalar } from '../../../kernel/graph/scalars.ts'
import type { ToolCall } from '../domain/tool-call.ts'
import { effectOf } from '../conversation/effect.ts'
import { AssistToolCall } from '../model/tool-call.ts'

@Resolver(() => AssistToolCall)
export class AssistToolCallResolver {
  @Requires('assist:use')
  @FieldResolver(() => JsonObjectScalar, {
    nullable: true,
    description:
      'The change that the tool call would make if it were approved now, such as a loan before ' +
      'and after. If the tool call would be rejected, the object contains `error` and `code` ' +
      'instead. The value is null unless the tool call waits for approval and its tool has a ' +
      'preview.',
  })
  effect(@Root() call: AssistToolCall, @Ctx() context: Context): Promise<object | null> {
    const { toolCallId, sessionId, name, state, arguments: args } = call
    return effectOf(context, { toolCallId, sessionId, name, state, args: args as ToolCall['args'] })
  }
}

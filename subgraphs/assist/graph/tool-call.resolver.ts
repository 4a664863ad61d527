import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { JsonObjectScalar } from '../../../kernel/graph/scalars.ts'
import { isToolName, toolOf } from '../domain/tool.ts'
import { effectOf } from '../conversation/effect.ts'
import { Session } from '../model/assist.ts'
import { ToolClass } from '../model/enumerations.ts'
import { ToolCall } from '../model/tool-call.ts'
import { loadSession } from '../store/session.ts'

@Resolver(() => ToolCall)
export class AssistToolCallResolver {
  @FieldResolver(() => ToolClass, {
    description: 'The class of the tool, which determines whether it needs approval.',
  })
  toolClass(@Root() { name }: ToolCall): ToolClass {
    return isToolName(name) ? toolOf(name).toolClass : 'forbidden'
  }

  @Requires('assist:use')
  @FieldResolver(() => Session, {
    nullable: true,
    description:
      'The session in which the assistant requested the tool call; null if it is not visible to ' +
      'the caller.',
  })
  session(@Root() { sessionId }: ToolCall, @Ctx() context: Context): Promise<Session | null> {
    return loadSession(context, sessionId)
  }

  @Requires('assist:use')
  @FieldResolver(() => JsonObjectScalar, {
    nullable: true,
    description:
      'The change that the tool call would make if it were approved now, such as a loan before ' +
      'and after. If the tool call would be rejected, the object contains `error` and `code` ' +
      'instead. The value is null unless the tool call waits for approval and its tool has a ' +
      'preview.',
  })
  effect(@Root() call: ToolCall, @Ctx() context: Context): Promise<object | null> {
    return effectOf(context, call)
  }
}

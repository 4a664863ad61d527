import type { Message } from '../domain/message.ts'
import type { ToolCall } from '../domain/tool-call.ts'
import { isToolName, toolOf } from '../domain/tool.ts'
import type { AssistMessage } from '../model/assist.ts'
import type { AssistToolCall } from '../model/tool-call.ts'

/** Converts a message to its GraphQL type. */
export function messageOut(message: Message): AssistMessage {
  const { details, sequence, ...fields } = message
  return { ...fields, ...details, transcriptSequence: sequence }
}

/** Converts a tool call to its GraphQL type. */
export function toolCallOut({ args, name, result, ...call }: ToolCall): AssistToolCall {
  return {
    ...call,
    name,
    toolClass: isToolName(name) ? toolOf(name).toolClass : 'forbidden',
    arguments: args,
    result: (result as object | null) ?? null,
  }
}

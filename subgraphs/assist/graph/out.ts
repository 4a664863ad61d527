import type { Message } from '../domain/message.ts'
import { toolOf, type ToolName } from '../domain/tool.ts'
import type { AssistMessage, AssistTool } from '../model/assist.ts'

/** Converts a message to its GraphQL type. */
export function messageOut(message: Message): AssistMessage {
  const { details, sequence, ...fields } = message
  return { ...fields, ...details, transcriptSequence: sequence }
}

/** Converts the name of a tool to its GraphQL type. */
export function toolOut(name: ToolName): AssistTool {
  const { toolClass, description } = toolOf(name)
  return { name, toolClass, description }
}

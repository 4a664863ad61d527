import type { Message } from '../domain/message.ts'
import type { AssistMessage } from '../model/assist.ts'

/** Converts a message to its GraphQL type. */
export function messageOut(message: Message): AssistMessage {
  const { details, sequence, ...fields } = message
  return { ...fields, ...details, transcriptSequence: sequence }
}

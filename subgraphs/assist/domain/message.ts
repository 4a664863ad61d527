import type { ToolCallSummary, Citation, Usage } from '../model/assist.ts'
import type { MessageStatus } from '../model/enumerations.ts'
import type { Verdict } from './guardrails.ts'
import type { ToolCall } from '../model/tool-call.ts'

/** Returns the summary of a tool call for its message. */
export function summaryOf({ toolCallId, name, state }: ToolCall): ToolCallSummary {
  return { toolCallId, name, status: state, requiresApproval: state === 'awaiting-approval' }
}

/** The details of an answer besides its text. */
export interface MessageDetails {
  citations: readonly Citation[]
  toolCalls: readonly ToolCallSummary[]
  guardrails: readonly Verdict[]
  usage: Usage
  model: { alias: string; provider: string; name: string }
}

/** A message in a session. */
export interface Message {
  messageId: string
  sessionId: string
  /** The number of the message, starting at 1 for each session. */
  sequence: number
  role: 'user' | 'assistant'
  content: string
  status: MessageStatus
  finishReason: string
  details: MessageDetails
  clientMessageId: string | null
  createdAt: Date
}

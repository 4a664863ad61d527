import type { Verdict } from './guardrails.ts'
import type { ToolCall, ToolCallState } from './tool-call.ts'

export const messageStatuses = ['completed', 'blocked', 'awaiting-approval', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** A source of an answer. */
export interface Citation {
  toolCallId: string
  source: string
}

export interface ToolCallSummary {
  toolCallId: string
  name: string
  status: ToolCallState
  requiresApproval: boolean
}

/** Returns the summary of a tool call for its message. */
export function summaryOf({ toolCallId, name, state }: ToolCall): ToolCallSummary {
  return { toolCallId, name, status: state, requiresApproval: state === 'awaiting-approval' }
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  costMicros: number
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

import type { Verdict } from './rails.ts'
import type { ToolCall, ToolCallState } from './tool-call.ts'

export const messageStatuses = ['completed', 'blocked', 'awaiting-approval', 'failed'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Where a figure of an answer comes from. */
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

/** A tool call as a message tells of it. */
export function summaryOf({ toolCallId, name, state }: ToolCall): ToolCallSummary {
  return { toolCallId, name, status: state, requiresApproval: state === 'awaiting-approval' }
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  costMicros: number
}

/** What goes with an answer beside its words. */
export interface MessageDetails {
  citations: readonly Citation[]
  toolCalls: readonly ToolCallSummary[]
  guardrails: readonly Verdict[]
  usage: Usage
  model: { alias: string; provider: string; name: string }
}

/** One thing that was said. */
export interface Message {
  messageId: string
  sessionId: string
  /** Counted from 1 within the session. */
  sequence: number
  role: 'user' | 'assistant'
  content: string
  status: MessageStatus
  finishReason: string
  details: MessageDetails
  clientMessageId: string | null
  createdAt: Date
}

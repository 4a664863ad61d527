import { addMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'

export const toolCallStates = [
  'requested',
  'awaiting-approval',
  'approved',
  'executed',
  'failed',
  'denied',
  'rejected',
  'expired',
] as const
export type ToolCallState = (typeof toolCallStates)[number]

export const toolCallMoves: Transitions<ToolCallState> = {
  requested: ['executed', 'failed', 'awaiting-approval', 'denied'],
  'awaiting-approval': ['approved', 'rejected', 'expired'],
  approved: ['executed', 'failed'],
  executed: [],
  failed: [],
  denied: [],
  rejected: [],
  expired: [],
}

const approvalMs = 15 * 60_000

/** A use of a tool. Its arguments and result are encrypted at rest and decrypted here. */
export interface ToolCall {
  toolCallId: string
  sessionId: string
  name: string
  args: Readonly<Record<string, unknown>>
  /** The hash of name and arguments, which an approval refers to. */
  argumentsHash: string
  state: ToolCallState
  /** Whether untrusted text was read before the tool call was requested. */
  isTainted: boolean
  requestedAt: Date
  expiresAt: Date | null
  /** The user whose message led to the tool call; null for records from before this was stored. */
  askedBy: string | null
  /** The user who last edited the arguments; null if nobody did. */
  editedBy: string | null
  decidedBy: string | null
  decidedAt: Date | null
  reason: string | null
  result: unknown
  version: number
}

export function moveCall(call: ToolCall, to: ToolCallState, changes: Partial<ToolCall> = {}) {
  requireMove(toolCallMoves, call.state, to, call.toolCallId)
  return { ...call, ...changes, state: to }
}

/** Holds a tool call for approval, for 15 minutes. */
export function holdForApproval(call: ToolCall, now: Date): ToolCall {
  return moveCall(call, 'awaiting-approval', { expiresAt: addMs(now, approvalMs) })
}

export interface Approval {
  argumentsHash: string
  by: string
  reason: string | null
}

/**
 * Approves a tool call with the given arguments.
 * Throws INVALID_STATE_TRANSITION, APPROVAL_EXPIRED, ARGUMENTS_CHANGED, and SEGREGATION_OF_DUTIES
 * for the user of the session and the users who requested or edited the tool call.
 */
export function approveCall(call: ToolCall, sessionUser: string, asked: Approval, now: Date) {
  const approved = moveCall(call, 'approved', {
    decidedBy: asked.by,
    decidedAt: now,
    reason: asked.reason,
  })
  const { toolCallId: resourceId, expiresAt } = call
  if (expiresAt && expiresAt <= now) throw new Problem('APPROVAL_EXPIRED', { resourceId })
  requireOther(call, sessionUser, asked.by)
  if (asked.argumentsHash !== call.argumentsHash) {
    throw new Problem('ARGUMENTS_CHANGED', { resourceId })
  }
  return approved
}

/** Rejects a tool call; the user of the session may do so, too. Throws INVALID_STATE_TRANSITION. */
export function rejectCall(call: ToolCall, by: string, reason: string | null, now: Date): ToolCall {
  return moveCall(call, 'rejected', { decidedBy: by, decidedAt: now, reason })
}

/**
 * Replaces the arguments and their hash, which voids earlier reviews.
 * Throws INVALID_STATE_TRANSITION unless the tool call waits for approval.
 */
export function editCall(
  call: ToolCall,
  edited: Pick<ToolCall, 'args' | 'argumentsHash'>,
  by: string,
): ToolCall {
  if (call.state === 'awaiting-approval') return { ...call, ...edited, editedBy: by }
  throw new Problem('INVALID_STATE_TRANSITION', {
    resourceId: call.toolCallId,
    currentState: call.state,
    allowedStates: toolCallMoves[call.state],
  })
}

function requireOther(call: ToolCall, sessionUser: string, by: string): void {
  const { toolCallId, askedBy, editedBy } = call
  if (![sessionUser, askedBy, editedBy].includes(by)) return
  throw new Problem('SEGREGATION_OF_DUTIES', {
    resourceId: toolCallId,
    detail: 'Whoever requested or edited the tool call cannot approve it.',
  })
}

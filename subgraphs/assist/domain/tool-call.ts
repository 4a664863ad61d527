import type { ToolCallState } from '../model/enumerations.ts'
import type { ToolCall } from '../model/tool-call.ts'
import { addMs } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { assertTransition, type Transitions } from '../../../kernel/domain/states.ts'

export const toolCallTransitions: Transitions<ToolCallState> = {
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

/** Changes the state of a tool call. Throws INVALID_STATE_TRANSITION. */
export function transitionToolCall(
  call: ToolCall,
  to: ToolCallState,
  changes: Partial<ToolCall> = {},
) {
  assertTransition(toolCallTransitions, call.state, to, call.toolCallId)
  return { ...call, ...changes, state: to }
}

/** Lets a tool call wait for approval, for at most 15 minutes. */
export function holdForApproval(call: ToolCall, now: Date): ToolCall {
  return transitionToolCall(call, 'awaiting-approval', { expiresAt: addMs(now, approvalMs) })
}

export interface Approval {
  argumentsHash: string
  by: string
  reason: string | null
}

/**
 * Approves a tool call with the arguments that the approver reviewed.
 * Throws INVALID_STATE_TRANSITION, APPROVAL_EXPIRED, ARGUMENTS_CHANGED, and SEGREGATION_OF_DUTIES
 * if the approver opened the session, or requested or edited the tool call.
 */
export function approveCall(call: ToolCall, sessionUser: string, request: Approval, now: Date) {
  const approvedCall = transitionToolCall(call, 'approved', {
    decidedBy: request.by,
    decidedAt: now,
    reason: request.reason,
  })
  const { toolCallId: resourceId, expiresAt } = call
  if (expiresAt && expiresAt <= now) throw new Problem('APPROVAL_EXPIRED', { resourceId })
  requireAnotherUser(call, sessionUser, request.by)
  if (request.argumentsHash !== call.argumentsHash) {
    throw new Problem('ARGUMENTS_CHANGED', { resourceId })
  }
  return approvedCall
}

/** Rejects a tool call. The user of the session may reject it. Throws INVALID_STATE_TRANSITION. */
export function rejectCall(call: ToolCall, by: string, reason: string | null, now: Date): ToolCall {
  return transitionToolCall(call, 'rejected', { decidedBy: by, decidedAt: now, reason })
}

/**
 * Replaces the arguments and their hash. Approvals with the previous hash are then rejected.
 * Throws INVALID_STATE_TRANSITION unless the tool call waits for approval.
 */
export function editCall(
  call: ToolCall,
  replacement: Pick<ToolCall, 'args' | 'argumentsHash'>,
  by: string,
): ToolCall {
  if (call.state === 'awaiting-approval') return { ...call, ...replacement, editedBy: by }
  throw new Problem('INVALID_STATE_TRANSITION', {
    resourceId: call.toolCallId,
    currentState: call.state,
    allowedStates: toolCallTransitions[call.state],
  })
}

function requireAnotherUser(call: ToolCall, sessionUser: string, by: string): void {
  const { toolCallId, requestedBy, editedBy } = call
  if (![sessionUser, requestedBy, editedBy].includes(by)) return
  throw new Problem('SEGREGATION_OF_DUTIES', {
    resourceId: toolCallId,
    detail: 'The tool call cannot be approved by a user who requested or edited it.',
  })
}

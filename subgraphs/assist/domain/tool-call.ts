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

/** One use of a tool. What it was given and what it gave is sealed; here it is open. */
export interface ToolCall {
  toolCallId: string
  sessionId: string
  name: string
  args: Readonly<Record<string, unknown>>
  /** Of name and arguments: what is approved is this and nothing else. */
  argumentsHash: string
  state: ToolCallState
  /** Text that anybody may have written was read before it was asked for. */
  isTainted: boolean
  requestedAt: Date
  expiresAt: Date | null
  /** Who spoke when it was asked for; null where that was not written down. */
  askedBy: string | null
  /** Who changed the arguments last, beside the assistant. */
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

/** The call waits for another person, a quarter of an hour. */
export function holdForApproval(call: ToolCall, now: Date): ToolCall {
  return moveCall(call, 'awaiting-approval', { expiresAt: addMs(now, approvalMs) })
}

export interface Approval {
  argumentsHash: string
  by: string
  reason: string | null
}

/**
 * Another person says yes to exactly these arguments.
 * Refuses with INVALID_STATE_TRANSITION, APPROVAL_EXPIRED, SEGREGATION_OF_DUTIES for the user of the
 * session, who asked for it and who edited the arguments, ARGUMENTS_CHANGED.
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

/** Refuses with INVALID_STATE_TRANSITION. Whoever may approve may say no, the user of the session too. */
export function rejectCall(call: ToolCall, by: string, reason: string | null, now: Date): ToolCall {
  return moveCall(call, 'rejected', { decidedBy: by, decidedAt: now, reason })
}

/**
 * Other arguments: another hash, so that what was looked at before approves nothing.
 * Refuses with INVALID_STATE_TRANSITION what does not wait for approval.
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
    detail: 'Who asked for it, or changed it, does not approve it.',
  })
}

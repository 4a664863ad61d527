import { addMs } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import type { Limits } from './assistant-type.ts'

export const sessionStatuses = [
  'active',
  'awaiting-approval',
  'closed',
  'expired',
  'terminated',
] as const
export type SessionStatus = (typeof sessionStatuses)[number]

export const sessionMoves: Transitions<SessionStatus> = {
  active: ['awaiting-approval', 'closed', 'expired', 'terminated'],
  'awaiting-approval': ['active', 'expired', 'terminated'],
  closed: [],
  expired: [],
  terminated: [],
}

const idleMs = 30 * 60_000
const longestMs = 8 * 3_600_000
/** A turn that takes longer is considered dead, and the next one can begin. */
const longestTurnMs = 2 * 60_000
/** The number of guardrail violations after which a session is terminated. */
export const mostBreaches = 3
/** The maximum number of open sessions of a customer, and of a user or program of the bank. */
export const mostOpen = { customer: 5, bank: 1000 } as const

/** A conversation, bound to the user who opened it and optionally to one party. */
export interface Session extends Versioned {
  sessionId: string
  assistantType: string
  /** The version used until the session ends; null for the general assistant. */
  assistantVersionId: string | null
  status: SessionStatus
  /** The user who opened the session. The assistant acts with their permissions only. */
  clientId: string
  userId: string
  /** The party the user acts for; null for bank staff and programs. */
  actingPartyId: string | null
  scopes: readonly string[]
  /** The party the session is limited to; null if it is limited only by the user's permissions. */
  subjectPartyId: string | null
  /** The record the session is about, such as `facility/fac_1`. */
  subject: string | null
  channel: string | null
  locale: string
  purpose: string | null
  policyVersion: string
  policyHash: string
  modelAlias: string
  messageCount: number
  inputTokens: number
  outputTokens: number
  costMicros: number
  breaches: number
  /** The deadline of the running turn; null if none is running. */
  busyUntil: Date | null
  /** The request that runs the turn, as a hash of its idempotency key scope. */
  busyWith: string | null
  /** The masks and their values, encrypted. */
  masks: string | null
  transcriptLength: number
  transcriptHash: string
  endReason: string | null
  lastActiveAt: Date
  expiresAt: Date
}

/**
 * When a session expires: 30 minutes after its last message, and at most 8 hours after it was
 * opened.
 */
export function expiryOf(createdAt: Date, lastActiveAt: Date): Date {
  const [idle, longest] = [addMs(lastActiveAt, idleMs), addMs(createdAt, longestMs)]
  return idle < longest ? idle : longest
}

/**
 * Begins a turn.
 * Throws SESSION_NOT_ACTIVE, APPROVAL_PENDING, SESSION_BUSY, SESSION_BUDGET_EXCEEDED, and
 * IDEMPOTENCY_IN_PROGRESS if the running turn belongs to the same request.
 */
export function beginTurn(
  session: Session,
  request: string | null,
  limits: Limits,
  now: Date,
): Session {
  const { sessionId: resourceId, status } = session
  if (status === 'awaiting-approval') {
    const detail =
      'The session waits for another person to approve a tool call. See its toolCalls, and ' +
      'use approveToolCall or rejectToolCall.'
    throw new Problem('APPROVAL_PENDING', { resourceId, detail })
  }
  if (status !== 'active' || session.expiresAt <= now) {
    const detail = `The session is ${status === 'active' ? 'expired' : status}.`
    throw new Problem('SESSION_NOT_ACTIVE', { resourceId, detail, currentState: status })
  }
  if (session.busyUntil && session.busyUntil > now) {
    if (request !== null && session.busyWith === request) {
      throw new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })
    }
    throw new Problem('SESSION_BUSY', { resourceId })
  }
  const spent = exhausted(session, limits)
  if (spent) throw new Problem('SESSION_BUDGET_EXCEEDED', { resourceId, detail: spent })
  return { ...session, busyUntil: addMs(now, longestTurnMs), busyWith: request }
}

/** The limit that is reached, as a problem detail; null if none is. */
export function exhausted(session: Session, limits: Limits): string | null {
  const { messageCount, inputTokens, outputTokens, costMicros } = session
  if (messageCount >= limits.messages)
    return `The session has reached its limit of ${limits.messages} messages.`
  if (inputTokens + outputTokens >= limits.tokens) {
    return `The session has reached its limit of ${limits.tokens} tokens.`
  }
  if (costMicros >= limits.costMicros) return 'The session has reached its cost limit.'
  return null
}

/** Changes the status of a session. Throws INVALID_STATE_TRANSITION. */
export function moveSession(session: Session, to: SessionStatus, endReason: string | null = null) {
  requireMove(sessionMoves, session.status, to, session.sessionId)
  return { ...session, status: to, endReason, busyUntil: null, busyWith: null }
}

export function ownersOf({ actingPartyId, subjectPartyId }: Session): readonly (string | null)[] {
  return actingPartyId === null ? [null] : [actingPartyId, subjectPartyId]
}

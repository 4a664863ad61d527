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
/** A turn that takes longer than this was cut off; the next may begin. */
const longestTurnMs = 2 * 60_000
/** Breaches of the rules after which a session ends. */
export const mostBreaches = 3
/** Open at a time: for one customer, and for one user or program of the bank. */
export const mostOpen = { customer: 5, bank: 1000 } as const

/** A conversation, bound to who opened it and, where it says so, to one party. */
export interface Session extends Versioned {
  sessionId: string
  assistantType: string
  /** The version it goes by to its end; null for a type nobody set up. */
  assistantVersionId: string | null
  status: SessionStatus
  /** Who opened it; the assistant acts with these rights and no others. */
  clientId: string
  userId: string
  /** The party the user acts for; null for people and programs of the bank. */
  actingPartyId: string | null
  scopes: readonly string[]
  /** The one party it is about; null: whatever the user may see. */
  subjectPartyId: string | null
  /** What it was opened about: `facility/fac_1`. */
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
  /** Until when a turn is under way; null when none is. */
  busyUntil: Date | null
  /** The request whose turn it is, as a hash of the use it makes of its idempotency key. */
  busyWith: string | null
  /** What stands for what in the masked text, sealed. */
  masks: string | null
  transcriptLength: number
  transcriptHash: string
  endReason: string | null
  lastActiveAt: Date
  expiresAt: Date
}

/** When an untouched session ends: after half an hour, and eight hours after its start at the latest. */
export function expiryOf(createdAt: Date, lastActiveAt: Date): Date {
  const [idle, longest] = [addMs(lastActiveAt, idleMs), addMs(createdAt, longestMs)]
  return idle < longest ? idle : longest
}

/**
 * The session with the turn of a request under way.
 * Refuses with SESSION_NOT_ACTIVE, APPROVAL_PENDING, SESSION_BUSY, SESSION_BUDGET_EXCEEDED, and with
 * IDEMPOTENCY_IN_PROGRESS when the turn under way is of the same request.
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
      'The session waits for the approval of another person: its toolCalls say of what, ' +
      'approveToolCall and rejectToolCall decide it.'
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

/** Which limit is reached; null when none is. */
export function exhausted(session: Session, limits: Limits): string | null {
  const { messageCount, inputTokens, outputTokens, costMicros } = session
  if (messageCount >= limits.messages) return `A session has ${limits.messages} messages.`
  if (inputTokens + outputTokens >= limits.tokens) return `A session has ${limits.tokens} tokens.`
  if (costMicros >= limits.costMicros) return 'The session has cost what it may.'
  return null
}

/** The session in another state. Refuses with INVALID_STATE_TRANSITION. */
export function moveSession(session: Session, to: SessionStatus, endReason: string | null = null) {
  requireMove(sessionMoves, session.status, to, session.sessionId)
  return { ...session, status: to, endReason, busyUntil: null, busyWith: null }
}

export function ownersOf({ actingPartyId, subjectPartyId }: Session): readonly (string | null)[] {
  return actingPartyId === null ? [null] : [actingPartyId, subjectPartyId]
}

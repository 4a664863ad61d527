import { sessionStates, type Session } from '../model/assist.ts'
import { SessionStatus } from '../model/enumerations.ts'
import { addMs } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { assertTransition, isTerminal } from '../../../kernel/domain/states.ts'
import type { Limits } from './assistant-type.ts'

/** The statuses of sessions that count against the limit and can expire. */
export const openSessionStatuses = SessionStatus.values.filter(
  (status) => !isTerminal(sessionStates.table, status),
)

const idleMs = 30 * 60_000
const maxAgeMs = 8 * 3_600_000
/** How long a turn can hold its session. After that, another turn can begin. */
const maxTurnMs = 2 * 60_000
/** The number of guardrail violations after which a session is terminated. */
export const maxBreaches = 3
/** The maximum number of open sessions per customer, and per bank employee or service client. */
export const maxOpen = { customer: 5, bank: 1000 } as const

/**
 * Returns when a session expires: 30 minutes after its last message, but not later than 8 hours
 * after it was opened.
 */
export function expiryOf(createdAt: Date, lastActiveAt: Date): Date {
  const [idleEnd, latestEnd] = [addMs(lastActiveAt, idleMs), addMs(createdAt, maxAgeMs)]
  return idleEnd < latestEnd ? idleEnd : latestEnd
}

/**
 * Marks a session as busy with a turn, for at most two minutes. `attemptHash` identifies the
 * request of the turn; it is null if the request has no idempotency key.
 * Throws SESSION_NOT_ACTIVE, APPROVAL_PENDING, SESSION_BUSY, SESSION_BUDGET_EXCEEDED, and
 * IDEMPOTENCY_IN_PROGRESS if the running turn belongs to the same request.
 */
export function beginTurn(
  session: Session,
  attemptHash: string | null,
  limits: Limits,
  now: Date,
): Session {
  const { sessionId: resourceId, status } = session
  if (status === 'awaiting-approval') {
    const detail =
      'The session waits for another person to approve a tool call. See toolCalls of the ' +
      'session, and use approveToolCall or rejectToolCall.'
    throw new Problem('APPROVAL_PENDING', { resourceId, detail })
  }
  if (status !== 'active' || session.expiresAt <= now) {
    const detail = `The session is ${status === 'active' ? 'expired' : status}.`
    throw new Problem('SESSION_NOT_ACTIVE', { resourceId, detail, currentState: status })
  }
  if (session.busyUntil && session.busyUntil > now) {
    if (attemptHash !== null && session.busyWith === attemptHash) {
      throw new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })
    }
    throw new Problem('SESSION_BUSY', { resourceId })
  }
  const limitDetail = reachedLimitDetail(session, limits)
  if (limitDetail) throw new Problem('SESSION_BUDGET_EXCEEDED', { resourceId, detail: limitDetail })
  return { ...session, busyUntil: addMs(now, maxTurnMs), busyWith: attemptHash }
}

/** Returns a problem detail about the limit that a session has reached; null if it reached none. */
export function reachedLimitDetail(session: Session, limits: Limits): string | null {
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
export function transitionSession(
  session: Session,
  to: SessionStatus,
  endReason: string | null = null,
) {
  assertTransition(sessionStates.table, session.status, to, session.sessionId)
  return { ...session, status: to, endReason, busyUntil: null, busyWith: null }
}

export function ownersOf({ actingPartyId, subjectPartyId }: Session): readonly (string | null)[] {
  return actingPartyId === null ? [null] : [actingPartyId, subjectPartyId]
}

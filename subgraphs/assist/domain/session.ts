import { SessionStatus } from '../model/enumerations.ts'
import { addMs } from '../../../kernel/domain/dates.ts'
import { Problem } from './problems.ts'
import { assertTransition, isTerminal, type Transitions } from '../../../kernel/domain/states.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'
import type { Limits } from './assistant-type.ts'

export const sessionTransitions: Transitions<SessionStatus> = {
  active: ['awaiting-approval', 'closed', 'expired', 'terminated'],
  'awaiting-approval': ['active', 'expired', 'terminated'],
  closed: [],
  expired: [],
  terminated: [],
}

/** The statuses of sessions that count against the limit and can expire. */
export const openSessionStatuses = SessionStatus.values.filter(
  (status) => !isTerminal(sessionTransitions, status),
)

const idleMs = 30 * 60_000
const maxAgeMs = 8 * 3_600_000
/** How long a turn can hold its session. After that, another turn can begin. */
const maxTurnMs = 2 * 60_000
/** The number of guardrail violations after which a session is terminated. */
export const maxBreaches = 3
/** The maximum number of open sessions per customer, and per bank employee or service client. */
export const maxOpen = { customer: 5, bank: 1000 } as const

/** A conversation of one user with an assistant, optionally limited to one party. */
export interface Session extends Versioned {
  sessionId: string
  assistantType: string
  /** The assistant version of the session; null for the general assistant. */
  assistantVersionId: string | null
  status: SessionStatus
  /** The client and the user who opened the session. The assistant acts with their permissions. */
  clientId: string
  userId: string
  /** The party for which the client acts; null for bank employees and service clients. */
  actingPartyId: string | null
  scopes: readonly string[]
  /** The only party whose data the session can use; null if only permissions limit the session. */
  subjectPartyId: string | null
  /** The record that the session is about, such as `facility/fac_1`; null if there is none. */
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
  /** The deadline of the running turn; null if no turn is running. */
  busyUntil: Date | null
  /** The hash of the running turn's idempotency key and request; null if there is no key. */
  busyWith: string | null
  /** The masks and their values, encrypted; null if nothing was masked. */
  masks: string | null
  transcriptLength: number
  transcriptHash: string
  endReason: string | null
  lastActiveAt: Date
  expiresAt: Date
}

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
  assertTransition(sessionTransitions, session.status, to, session.sessionId)
  return { ...session, status: to, endReason, busyUntil: null, busyWith: null }
}

export function ownersOf({ actingPartyId, subjectPartyId }: Session): readonly (string | null)[] {
  return actingPartyId === null ? [null] : [actingPartyId, subjectPartyId]
}

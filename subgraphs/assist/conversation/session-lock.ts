import { setTimeout as sleep } from 'node:timers/promises'
import { readStoredResponse, type Attempt } from '../../../kernel/writing/attempts.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { requireConsent } from '../commands/consent-check.ts'
import type { Message } from '../domain/message.ts'
import { beginTurn } from '../domain/session.ts'
import type { Session } from '../model/assist.ts'
import { sha256 } from './hashes.ts'
import { sessionDecision, requireSession, withLines } from '../commands/session.ts'
import { profileOf } from '../commands/assistant-version.ts'
import { findAnswer } from '../store/message.ts'
import { insertLines } from '../store/transcript.ts'
import { linesOf, type Step } from './transcript.ts'

// A session runs one turn at a time. This module acquires a session for a turn and releases it
// after a failed turn.

export interface MessageRequest {
  sessionId: string
  content: string
  clientMessageId?: string | null
}

const firstAttemptPollMs = 50
const maxFirstAttemptWaitMs = 2000

/**
 * Acquires the session for a turn, or returns the stored answer of the request. If an earlier
 * attempt of the same request is still running, waits up to two seconds for its answer.
 * Throws RESOURCE_EXISTS if `clientMessageId` belongs to a message with different content, and
 * whatever `requireSession`, `requireConsent` and `beginTurn` throw.
 */
export async function beginTurnOrWait(
  context: Context,
  input: MessageRequest,
  attempt: Attempt | null,
) {
  const deadline = performance.now() + maxFirstAttemptWaitMs
  for (;;) {
    try {
      return await acquireSession(context, input, attempt)
    } catch (error) {
      const isInProgress = error instanceof Problem && error.code === 'IDEMPOTENCY_IN_PROGRESS'
      if (!isInProgress || performance.now() > deadline) throw error
      await sleep(firstAttemptPollMs)
    }
  }
}

async function storedAnswer(context: Context, input: MessageRequest): Promise<Message | null> {
  const { sessionId, clientMessageId, content } = input
  const storedResponse = clientMessageId && (await findAnswer(context, sessionId, clientMessageId))
  if (!storedResponse) return null
  if (storedResponse.input.content === content) return storedResponse.answer
  throw new Problem('RESOURCE_EXISTS', { resourceId: storedResponse.input.messageId })
}

/**
 * Returns the context for intermediate commits of a turn. Only the last commit of a turn uses the
 * caller's idempotency key.
 */
function withoutKey(context: Context): Context {
  return { ...context, envelope: { ...context.envelope, idempotencyKey: undefined } }
}

/**
 * Acquires the session for this request, or returns the stored answer of the request. The session
 * is read before the stored answer: if an earlier attempt releases the session in between, its
 * answer is found.
 */
function acquireSession(
  context: Context,
  input: MessageRequest,
  attempt: Attempt | null,
): Promise<Session | { answer: Message }> {
  const { sessionId } = input
  const attemptHash = attempt && sha256(JSON.stringify(attempt))
  return command<Session | { answer: Message }>(
    withoutKey(context),
    'beginAssistTurn',
    { sessionId },
    async () => {
      const before = await requireSession(context, sessionId)
      const storedResponse = attempt && (await readStoredResponse(context, attempt))
      const answer = storedResponse
        ? (storedResponse.answer as Message)
        : await storedAnswer(context, input)
      if (answer) return { result: { answer } }
      await requireConsent(context, before)
      const now = context.now()
      const { limits } = await profileOf(context, before)
      const busySession = beginTurn(before, attemptHash, limits, now)
      return sessionDecision(before, busySession, now, 'ai.message.received')
    },
  )
}

/** Whether the turn that acquired the session as `busySession` still holds the session. */
export function isSameTurn(session: Session, busySession: Session): boolean {
  const { busyUntil, busyWith } = session
  return (
    busyUntil?.getTime() === busySession.busyUntil?.getTime() && busyWith === busySession.busyWith
  )
}

/**
 * Releases the session after a failed turn and records the failure in the transcript.
 * `maskedQuestion` is the masked question; null if the turn failed before the question was masked.
 */
export async function release(
  context: Context,
  busySession: Session,
  maskedQuestion: string | null,
): Promise<void> {
  await command(withoutKey(context), 'releaseAssistTurn', {}, async () => {
    const before = await requireSession(context, busySession.sessionId)
    // Other changes of the session do not matter, as long as this turn still holds it.
    if (before.busyUntil === null || !isSameTurn(before, busySession)) return { result: before }
    const now = context.now()
    const questionStep: Step = { kind: 'message', body: { role: 'user', content: maskedQuestion } }
    const failureStep: Step = { kind: 'model', body: { error: 'There was no answer.' } }
    const lines = linesOf(
      before,
      maskedQuestion === null ? [failureStep] : [questionStep, failureStep],
      now,
    )
    const after = withLines({ ...before, busyUntil: null, busyWith: null }, lines)
    const decision = sessionDecision(before, after, now, 'ai.message.failed')
    return { ...decision, writes: [...decision.writes!, insertLines(lines)] }
  })
}

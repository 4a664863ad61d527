import { setTimeout as sleep } from 'node:timers/promises'
import { command, remembered, type Attempt } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { requireConsent } from './consent-check.ts'
import type { Message } from './domain/message.ts'
import { beginTurn, type Session } from './domain/session.ts'
import { sha256 } from './hashes.ts'
import { changed, requireSession, withLines } from './sessions.ts'
import { profileOf } from './registry.ts'
import { findAnswer } from './store/message.ts'
import { insertLines } from './store/transcript.ts'
import { linesOf, type Step } from './transcript.ts'

// A session runs one turn at a time. This module acquires a session for a turn and releases it
// after a failed turn.

export interface MessageAsked {
  sessionId: string
  content: string
  clientMessageId?: string | null
}

const firstTryPollMs = 50
const firstTryWaitMs = 2000

/** Begins a turn. If the session is busy with the same request, waits for its answer. */
export async function beginTurnOrWait(
  context: Context,
  asked: MessageAsked,
  attempt: Attempt | null,
) {
  const until = performance.now() + firstTryWaitMs
  for (;;) {
    try {
      return await begin(context, asked, attempt)
    } catch (error) {
      const isFirstTry = error instanceof Problem && error.code === 'IDEMPOTENCY_IN_PROGRESS'
      if (!isFirstTry || performance.now() > until) throw error
      await sleep(firstTryPollMs)
    }
  }
}

async function answeredBefore(context: Context, asked: MessageAsked): Promise<Message | null> {
  const { sessionId, clientMessageId, content } = asked
  const earlier = clientMessageId && (await findAnswer(context, sessionId, clientMessageId))
  if (!earlier) return null
  if (earlier.asked.content === content) return earlier.answer
  throw new Problem('RESOURCE_EXISTS', { resourceId: earlier.asked.messageId })
}

/**
 * The context for intermediate commits of a turn. Only the last commit uses the caller's
 * idempotency key.
 */
function withoutKey(context: Context): Context {
  return { ...context, envelope: { ...context.envelope, idempotencyKey: undefined } }
}

/**
 * The session, acquired for this request, or the stored response of the request. The response is
 * looked up after the session was read, because this request may be the one that released it.
 */
function begin(
  context: Context,
  asked: MessageAsked,
  attempt: Attempt | null,
): Promise<Session | { answer: Message }> {
  const { sessionId } = asked
  const request = attempt && sha256(JSON.stringify(attempt))
  return command<Session | { answer: Message }>(
    withoutKey(context),
    'beginAssistTurn',
    { sessionId },
    async () => {
      const before = await requireSession(context, sessionId)
      const earlier = attempt && (await remembered(context, attempt))
      const answer = earlier ? (earlier.answer as Message) : await answeredBefore(context, asked)
      if (answer) return { result: { answer } }
      await requireConsent(context, before)
      const now = context.now()
      const { limits } = await profileOf(context, before)
      return changed(before, beginTurn(before, request, limits, now), now, 'ai.message.received')
    },
  )
}

/** Whether a session is still acquired by the given turn. */
export function isSameTurn(session: Session, begun: Session): boolean {
  const { busyUntil, busyWith } = session
  return busyUntil?.getTime() === begun.busyUntil?.getTime() && busyWith === begun.busyWith
}

/**
 * Releases the session after a failed turn and records the failure in the transcript. `masked` is
 * the masked question; null if it was not masked yet.
 */
export async function release(
  context: Context,
  begun: Session,
  masked: string | null,
): Promise<void> {
  await command(withoutKey(context), 'releaseAssistTurn', {}, async () => {
    const before = await requireSession(context, begun.sessionId)
    // Other changes of the session do not matter; only the owner of the turn does.
    if (before.busyUntil === null || !isSameTurn(before, begun)) return { result: before }
    const now = context.now()
    const asked: Step = { kind: 'message', body: { role: 'user', content: masked } }
    const failed: Step = { kind: 'model', body: { error: 'There was no answer.' } }
    const lines = linesOf(before, masked === null ? [failed] : [asked, failed], now)
    const after = withLines({ ...before, busyUntil: null, busyWith: null }, lines)
    const decision = changed(before, after, now, 'ai.message.failed')
    return { ...decision, writes: [...decision.writes!, insertLines(lines)] }
  })
}

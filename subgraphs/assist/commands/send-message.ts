import { decryptIn, encryptIn } from '../../../kernel/environment/vault-columns.ts'
import { sessionMasks } from '../store/vault-columns.ts'
import { requireFound } from '../../../kernel/authorization/auth.ts'
import { attemptOf, readStoredResponse } from '../../../kernel/writing/attempts.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { publicationOf } from '../../../kernel/writing/records.ts'
import { AssistNamesDocument } from '../queries.generated.ts'
import {
  beginTurnOrWait,
  isSameTurn,
  release,
  type MessageRequest,
} from '../conversation/session-lock.ts'
import { Masker, type Masks } from '../domain/masking.ts'
import { summaryOf, type Message, type MessageDetails } from '../domain/message.ts'
import { expiryOf, maxBreaches, transitionSession } from '../domain/session.ts'
import type { Session } from '../model/assist.ts'
import type { ToolCall } from '../model/tool-call.ts'
import { linesOf, type Step } from '../conversation/transcript.ts'
import { toolCallEvents, type SessionEvent, type ToolCallEvent } from '../events.ts'
import { beginLive } from '../conversation/live-turns.ts'
import { providerOf } from '../provider/model.ts'
import { sessionDecision, requireSession, withLines } from './session.ts'
import { insertMessages, listMessages } from '../store/message.ts'
import { sessionKind } from '../store/session.ts'
import { insertToolCalls } from '../store/tool-call.ts'
import { insertLines } from '../store/transcript.ts'
import { runTurn, type Turn } from '../conversation/turn.ts'

const operation = 'sendAssistMessage'
const maxHistory = 40

/**
 * Runs one turn: sends a message to an assistant and returns the answer. The session accepts no
 * other message while the turn runs. The question, the answer, the tool calls and the transcript
 * are committed together. A retry with the same `clientMessageId` returns the stored answer. With a
 * `streamId`, other requests can follow the steps while the turn runs; a stored answer has no
 * steps.
 *
 * Throws SESSION_NOT_FOUND, SESSION_NOT_ACTIVE, APPROVAL_PENDING, SESSION_BUSY,
 * SESSION_BUDGET_EXCEEDED, CONSENT_REQUIRED, MODEL_UNAVAILABLE, IDEMPOTENCY_KEY_REUSED,
 * IDEMPOTENCY_IN_PROGRESS.
 */
export async function sendMessage(
  context: Context,
  request: MessageRequest,
  streamId: string | null = null,
): Promise<Message> {
  const attempt = attemptOf(context, operation, request)
  const storedResponse = attempt && (await readStoredResponse(context, attempt))
  if (storedResponse) return storedResponse.answer as Message
  const busySession = await beginTurnOrWait(context, request, attempt)
  if ('answer' in busySession) return busySession.answer
  const stepStream =
    streamId === null ? noStream : beginLive(context, busySession.sessionId, streamId)
  let masker: Masker | null = null
  try {
    masker = await maskerOf(context, busySession)
    const history = await listMessages(
      context,
      busySession.sessionId,
      Math.max(0, busySession.messageCount - maxHistory),
      maxHistory,
    )
    const turn = await runTurn(
      context,
      busySession,
      history,
      request.content,
      masker,
      stepStream.emit,
    )
    return await commitTurn(context, request, busySession, turn, masker)
  } catch (error) {
    await release(context, busySession, masker && masker.mask(request.content))
    throw error
  } finally {
    stepStream.end()
  }
}

const noStream = { emit: () => undefined, end: () => undefined }

function commitTurn(
  context: Context,
  request: MessageRequest,
  busySession: Session,
  turn: Turn,
  masker: Masker,
): Promise<Message> {
  return command(context, operation, request, async (): Promise<Decision<Message>> => {
    const before = await requireSession(context, request.sessionId)
    const { sessionId, status, messageCount } = before
    // If a kill switch or a withdrawal has ended the session, the partial turn is still recorded.
    if (status !== 'active' && !turn.haltReason) {
      throw new Problem('SESSION_NOT_ACTIVE', { resourceId: sessionId, currentState: status })
    }
    // After its deadline, a turn may have been replaced by another turn of the session.
    if (status === 'active' && !isSameTurn(before, busySession)) {
      throw new Problem('SESSION_BUSY', { resourceId: sessionId })
    }
    const now = context.now()
    const details = detailsOf(context, turn)
    const message = (role: Message['role'], content: string): Message => ({
      messageId: context.newId('assistMessage'),
      sessionId,
      sequence: messageCount + (role === 'user' ? 1 : 2),
      role,
      content,
      status: role === 'user' ? 'completed' : turn.status,
      finishReason: role === 'user' ? 'stop' : turn.finishReason,
      details: role === 'user' ? noDetails(details) : details,
      clientMessageId: role === 'user' ? (request.clientMessageId ?? null) : null,
      createdAt: now,
    })
    const [question, answer] = [
      message('user', request.content),
      message('assistant', turn.content),
    ]
    const steps: Step[] = [
      ...turn.steps,
      { kind: 'answer', body: { status: turn.status, content: masker.mask(turn.content) } },
    ]
    const lines = linesOf(before, steps, now)
    const masks = encryptIn(context.bank.vault, sessionMasks, JSON.stringify(masker.masks), {
      session_id: sessionId,
    })
    const after = withLines({ ...afterTurn(before, turn, now), masks }, lines)
    const decision = sessionDecision(before, after, now, turnEventOf(turn))
    return {
      result: answer,
      resourceId: answer.messageId,
      writes: [
        ...decision.writes!,
        insertMessages(context, [question, answer]),
        ...(turn.calls.length > 0 ? [insertToolCalls(context, turn.calls)] : []),
        insertLines(lines),
      ],
      events: [...decision.events!, ...secondaryEvents(before, after, turn)],
    }
  })
}

function afterTurn(before: Session, turn: Turn, now: Date): Session {
  const { usage, verdicts, status, haltReason } = turn
  const breaches = before.breaches + verdicts.filter(({ stage }) => stage === 'input').length
  const updatedSession: Session = {
    ...before,
    busyUntil: null,
    busyWith: null,
    messageCount: before.messageCount + 2,
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    costMicros: before.costMicros + usage.costMicros,
    breaches,
    lastActiveAt: now,
    expiresAt: expiryOf(before.createdAt, now),
  }
  if (before.status !== 'active') return updatedSession
  if (haltReason) return transitionSession(updatedSession, 'terminated', haltReason)
  if (breaches >= maxBreaches) {
    return transitionSession(updatedSession, 'terminated', 'policy-breaches')
  }
  const isWaiting = status === 'awaiting-approval'
  return isWaiting ? transitionSession(updatedSession, 'awaiting-approval') : updatedSession
}

function turnEventOf({ status }: Turn): SessionEvent {
  if (status === 'blocked') return 'ai.message.blocked'
  return status === 'failed' ? 'ai.message.failed' : 'ai.message.completed'
}

/** Returns the events for guardrails, tool calls and status changes of the session. */
function secondaryEvents(
  before: Session,
  session: Session,
  { calls, verdicts }: Turn,
): DomainEvent[] {
  const sessionEvent = (type: SessionEvent) => publicationOf(sessionKind, session, type).events
  return [
    ...verdicts.flatMap(() => sessionEvent('ai.guardrail.triggered')),
    ...calls.flatMap((call) => toolCallEventsOf(session, call)),
    ...(session.status === 'awaiting-approval' ? sessionEvent('ai.session.held') : []),
    ...(session.status === 'terminated' && before.status === 'active'
      ? sessionEvent('ai.session.terminated')
      : []),
  ]
}

/** Returns the two events of a tool call: its request and its resulting state. */
function toolCallEventsOf(session: Session, call: ToolCall): DomainEvent[] {
  const { state } = call
  const stateEvent: ToolCallEvent =
    state === 'awaiting-approval'
      ? 'ai.tool-call.approval-requested'
      : `ai.tool-call.${state as 'executed'}`
  return [
    toolCallEventOf(session, call, 'ai.tool-call.requested', 1),
    toolCallEventOf(session, call, stateEvent, 2),
  ]
}

/** Returns an event about a tool call. `version` is the number of the event among its events. */
export function toolCallEventOf(
  session: Session,
  call: ToolCall,
  type: ToolCallEvent,
  version: number,
): DomainEvent {
  return toolCallEvents.event(type, { ...call, version }, sessionKind.ownersOf(session))
}

function detailsOf({ bank }: Context, turn: Turn): MessageDetails {
  const { alias, name: provider, model: name } = providerOf(bank)
  const { calls, verdicts: guardrails, usage, status } = turn
  const executedCalls =
    status === 'completed' ? calls.filter(({ state }) => state === 'executed') : []
  return {
    citations: executedCalls.map((call) => ({
      toolCallId: call.toolCallId,
      source: sourceOf(call),
    })),
    toolCalls: calls.map(summaryOf),
    guardrails,
    usage,
    model: { alias, provider, name },
  }
}

function noDetails({ model }: MessageDetails): MessageDetails {
  const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 }
  return { citations: [], toolCalls: [], guardrails: [], usage, model }
}

/** Returns the source of a citation: a tool and its arguments, such as `get_balance arr_1`. */
function sourceOf({ name, args }: ToolCall): string {
  return [name, ...Object.values(args).map(String)].join(' ')
}

/** Returns the masker of a session, with its existing masks and the names of its party. */
async function maskerOf({ bank }: Context, session: Session): Promise<Masker> {
  const { masks, sessionId, subjectPartyId } = session
  const existingMasks = masks
    ? (JSON.parse(decryptIn(bank.vault, sessionMasks, masks, { session_id: sessionId })) as Masks)
    : {}
  if (subjectPartyId === null) return new Masker(existingMasks, [])
  const { party } = await bank.queryGraph(AssistNamesDocument, { partyId: subjectPartyId })
  const found = requireFound(party, 'PARTY_NOT_FOUND', subjectPartyId)
  const { displayName, givenName, familyName, organizationName } = found
  const names = [displayName, givenName, familyName, organizationName]
  return new Masker(
    existingMasks,
    names.filter((name) => typeof name === 'string'),
  )
}

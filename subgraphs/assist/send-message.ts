import { maySee } from '../_kernel/auth.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { attemptOf, command, remembered, type Attempt, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
import { publish } from '../_kernel/records.ts'
import { AssistNamesDocument } from './asks.generated.ts'
import { profileOf } from './domain/assistant-type.ts'
import { Masker, type Masks } from './domain/masking.ts'
import type { Message, MessageDetails } from './domain/message.ts'
import {
  beginTurn,
  expiryOf,
  mostBreaches,
  moveSession,
  ownersOf,
  type Session,
} from './domain/session.ts'
import type { ToolCall } from './domain/tool-call.ts'
import { linesOf, type Step } from './transcript.ts'
import type { SessionEvent, ToolCallEvent } from './events.ts'
import { providerOf } from './provider/model.ts'
import { withLines } from './sessions.ts'
import { findAnswer, insertMessages, listMessages } from './store/message.ts'
import { sessionKind } from './store/session.ts'
import { insertToolCalls } from './store/tool-call.ts'
import { insertLines } from './store/transcript.ts'
import { runTurn, type Turn } from './turn.ts'

export interface MessageAsked {
  sessionId: string
  content: string
  clientMessageId?: string | null
}

const operation = 'sendAssistMessage'
const mostHistory = 40

/**
 * Asks an assistant, and answers what it said. The session is busy until then; the question, the
 * answer, the tools it used and the transcript are written together. The same `clientMessageId`
 * answers what was answered before.
 * Refuses with SESSION_NOT_FOUND, SESSION_NOT_ACTIVE, APPROVAL_PENDING, SESSION_BUSY,
 * SESSION_BUDGET_EXCEEDED, MODEL_UNAVAILABLE, IDEMPOTENCY_KEY_REUSED.
 */
export async function sendMessage(context: Context, asked: MessageAsked): Promise<Message> {
  const attempt = attemptOf(context, operation, asked)
  const earlier = attempt && (await remembered(context, attempt))
  if (earlier) return earlier.answer as Message
  const again = await answeredBefore(context, asked)
  if (again) return again
  const session = await begin(context, asked.sessionId).catch((error: unknown) =>
    attempt ? answerOfTheFirst(context, attempt, error) : Promise.reject(error as Error),
  )
  if ('answer' in session) return session.answer as Message
  const masker = await maskerOf(context, session)
  const history = await listMessages(
    context,
    session.sessionId,
    Math.max(0, session.messageCount - mostHistory),
    mostHistory,
  )
  let turn: Turn
  try {
    turn = await runTurn(context, session, history, asked.content, masker)
  } catch (error) {
    await release(context, session.sessionId, masker.mask(asked.content))
    throw error
  }
  return finish(context, asked, turn, masker)
}

const firstTryPollMs = 50
const firstTryWaitMs = 2000

/** The session is busy with the first try of the same request: its answer, when it comes soon. */
async function answerOfTheFirst(context: Context, attempt: Attempt, error: unknown) {
  const until = performance.now() + firstTryWaitMs
  for (;;) {
    const earlier = await remembered(context, attempt)
    if (earlier) return earlier
    const isBusy = error instanceof Problem && error.code === 'SESSION_BUSY'
    if (!isBusy || performance.now() > until) throw error
    await sleep(firstTryPollMs)
  }
}

async function requireSession(context: Context, sessionId: string): Promise<Session> {
  const found = await sessionKind.find(context, sessionId)
  if (found && maySee(context.caller, ownersOf(found))) return found
  throw new Problem('SESSION_NOT_FOUND', { resourceId: sessionId })
}

async function answeredBefore(context: Context, asked: MessageAsked): Promise<Message | null> {
  const { sessionId, clientMessageId, content } = asked
  if (!clientMessageId) return null
  await requireSession(context, sessionId)
  const earlier = await findAnswer(context, sessionId, clientMessageId)
  if (!earlier) return null
  if (earlier.asked.content === content) return earlier.answer
  throw new Problem('RESOURCE_EXISTS', { resourceId: earlier.asked.messageId })
}

/** Commits of a turn before its last, which alone uses the caller's key. */
function withoutKey(context: Context): Context {
  return { ...context, envelope: { ...context.envelope, idempotencyKey: undefined } }
}

function begin(context: Context, sessionId: string): Promise<Session> {
  return command(withoutKey(context), 'beginAssistTurn', { sessionId }, async () => {
    const before = await requireSession(context, sessionId)
    const now = context.now()
    const { limits } = profileOf(before.assistantType)
    return changed(before, beginTurn(before, limits, now), now, 'ai.message.received')
  })
}

/** The model did not answer: the session is free again, and the transcript says so. */
async function release(context: Context, sessionId: string, masked: string): Promise<void> {
  await command(withoutKey(context), 'releaseAssistTurn', { sessionId }, async () => {
    const before = await requireSession(context, sessionId)
    const now = context.now()
    const steps: Step[] = [
      { kind: 'message', body: { role: 'user', content: masked } },
      { kind: 'model', body: { error: 'The model did not answer.' } },
    ]
    const lines = linesOf(before, steps, now)
    const after = withLines({ ...before, busyUntil: null }, lines)
    const decision = changed(before, after, now, 'ai.message.failed')
    return { ...decision, writes: [...decision.writes!, insertLines(lines)] }
  })
}

function finish(context: Context, asked: MessageAsked, turn: Turn, masker: Masker) {
  return command(context, operation, asked, async (): Promise<Decision<Message>> => {
    const before = await requireSession(context, asked.sessionId)
    const { sessionId, status, messageCount } = before
    // What was switched off may have ended already; what was said until then is still written down.
    if (status !== 'active' && !turn.killed) {
      throw new Problem('SESSION_NOT_ACTIVE', { resourceId: sessionId, currentState: status })
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
      clientMessageId: role === 'user' ? (asked.clientMessageId ?? null) : null,
      createdAt: now,
    })
    const [question, answer] = [message('user', asked.content), message('assistant', turn.content)]
    const steps: Step[] = [
      ...turn.steps,
      { kind: 'answer', body: { status: turn.status, content: masker.mask(turn.content) } },
    ]
    const lines = linesOf(before, steps, now)
    const masks = context.bank.vault.seal(JSON.stringify(masker.masks), maskPlace(sessionId))
    const after = withLines({ ...afterTurn(before, turn, now), masks }, lines)
    const decision = changed(before, after, now, eventOf(turn))
    return {
      result: answer,
      resourceId: answer.messageId,
      writes: [
        ...decision.writes!,
        insertMessages(context, [question, answer]),
        ...(turn.calls.length > 0 ? [insertToolCalls(context, turn.calls)] : []),
        insertLines(lines),
      ],
      events: [...decision.events!, ...moreEvents(before, after, turn)],
    }
  })
}

function afterTurn(before: Session, turn: Turn, now: Date): Session {
  const { usage, verdicts, status, killed } = turn
  const breaches = before.breaches + verdicts.filter(({ stage }) => stage === 'input').length
  const used: Session = {
    ...before,
    busyUntil: null,
    messageCount: before.messageCount + 2,
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    costMicros: before.costMicros + usage.costMicros,
    breaches,
    lastActiveAt: now,
    expiresAt: expiryOf(before.createdAt, now),
  }
  if (before.status !== 'active') return used
  if (killed) return moveSession(used, 'terminated', `kill-switch ${killed}`)
  if (breaches >= mostBreaches) return moveSession(used, 'terminated', 'policy-breaches')
  return status === 'awaiting-approval' ? moveSession(used, 'awaiting-approval') : used
}

function eventOf({ status }: Turn): SessionEvent {
  if (status === 'blocked') return 'ai.message.blocked'
  return status === 'failed' ? 'ai.message.failed' : 'ai.message.completed'
}

/** What is told beside the message: each tool, each rule, and where the session went. */
function moreEvents(before: Session, session: Session, { calls, verdicts }: Turn): Told[] {
  const told = (type: SessionEvent) => publish(sessionKind, session, type).events
  return [
    ...verdicts.flatMap(() => told('ai.guardrail.triggered')),
    ...calls.flatMap((call) => tellCall(session, call)),
    ...(session.status === 'awaiting-approval' ? told('ai.session.held') : []),
    ...(session.status === 'terminated' && before.status === 'active'
      ? told('ai.session.terminated')
      : []),
  ]
}

/** A tool call is asked for, and then is what it is. */
function tellCall(session: Session, call: ToolCall): Told[] {
  const { state } = call
  const last: ToolCallEvent =
    state === 'awaiting-approval'
      ? 'ai.tool-call.approval-requested'
      : `ai.tool-call.${state as 'executed'}`
  return [toldOf(session, call, 'ai.tool-call.requested', 1), toldOf(session, call, last, 2)]
}

export function toldOf(session: Session, call: ToolCall, type: ToolCallEvent, version: number) {
  const { toolCallId, sessionId, name, state, argumentsHash } = call
  return {
    type,
    subject: `assist-tool-call/${toolCallId}`,
    version,
    data: { toolCallId, sessionId, name, state, argumentsHash },
    parties: sessionKind.ownersOf(session),
  }
}

/** A session that changed, as part of a commit. */
export function changed(
  before: Session,
  decided: Session,
  now: Date,
  event: SessionEvent,
): Decision<Session> {
  const after = { ...decided, version: before.version + 1, updatedAt: now }
  return {
    result: after,
    resourceId: after.sessionId,
    writes: [sessionKind.update(before, after)],
    events: publish(sessionKind, after, event).events,
  }
}

function detailsOf({ bank }: Context, turn: Turn): MessageDetails {
  const { alias, name: provider, model: name } = providerOf(bank)
  const { calls, verdicts: guardrails, usage, status } = turn
  const used = status === 'completed' ? calls.filter(({ state }) => state === 'executed') : []
  return {
    citations: used.map((call) => ({ toolCallId: call.toolCallId, source: sourceOf(call) })),
    toolCalls: calls.map(({ toolCallId, name: called, state }) => ({
      toolCallId,
      name: called,
      status: state,
      requiresApproval: state === 'awaiting-approval',
    })),
    guardrails,
    usage,
    model: { alias, provider, name },
  }
}

function noDetails({ model }: MessageDetails): MessageDetails {
  const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 }
  return { citations: [], toolCalls: [], guardrails: [], usage, model }
}

/** What a tool read: `get_balance arr_1`. */
function sourceOf({ name, args }: ToolCall): string {
  return [name, ...Object.values(args).map(String)].join(' ')
}

const maskPlace = (sessionId: string) => `assist-masks/${sessionId}`

/** The masks of a session so far, and the names of whom it is about. */
async function maskerOf({ bank }: Context, session: Session): Promise<Masker> {
  const { masks, sessionId, subjectPartyId } = session
  const known = masks ? (JSON.parse(bank.vault.open(masks, maskPlace(sessionId))) as Masks) : {}
  if (subjectPartyId === null) return new Masker(known, [])
  const { party } = await bank.ask(AssistNamesDocument, { partyId: subjectPartyId })
  const { displayName, givenName, familyName, organisationName } = party!
  const names = [displayName, givenName, familyName, organisationName]
  return new Masker(
    known,
    names.filter((name) => typeof name === 'string'),
  )
}

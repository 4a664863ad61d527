import { requireFound } from '../_kernel/auth.ts'
import { attemptOf, command, remembered, type Decision } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
import { publish } from '../_kernel/records.ts'
import { AssistNamesDocument } from './asks.generated.ts'
import { beginTurnOrWait, isSameTurn, release, type MessageAsked } from './busy.ts'
import { Masker, type Masks } from './domain/masking.ts'
import { summaryOf, type Message, type MessageDetails } from './domain/message.ts'
import { expiryOf, mostBreaches, moveSession, type Session } from './domain/session.ts'
import type { ToolCall } from './domain/tool-call.ts'
import { linesOf, type Step } from './transcript.ts'
import type { SessionEvent, ToolCallEvent } from './events.ts'
import { beginLive } from './live-turns.ts'
import { providerOf } from './provider/model.ts'
import { changed, requireSession, withLines } from './sessions.ts'
import { insertMessages, listMessages } from './store/message.ts'
import { sessionKind } from './store/session.ts'
import { insertToolCalls } from './store/tool-call.ts'
import { insertLines } from './store/transcript.ts'
import { runTurn, type Turn } from './turn.ts'

const operation = 'sendAssistMessage'
const mostHistory = 40

/**
 * Runs one turn: sends a message to an assistant and returns the answer. The session is busy
 * meanwhile. Question, answer, tool calls and transcript are committed together. Repeating a
 * `clientMessageId` returns the stored answer. With a `streamId`, the steps can be followed while
 * the turn runs; a stored answer has no steps.
 *
 * Throws SESSION_NOT_FOUND, SESSION_NOT_ACTIVE, APPROVAL_PENDING, SESSION_BUSY,
 * SESSION_BUDGET_EXCEEDED, CONSENT_REQUIRED, MODEL_UNAVAILABLE, IDEMPOTENCY_KEY_REUSED,
 * IDEMPOTENCY_IN_PROGRESS.
 */
export async function sendMessage(
  context: Context,
  asked: MessageAsked,
  streamId: string | null = null,
): Promise<Message> {
  const attempt = attemptOf(context, operation, asked)
  const earlier = attempt && (await remembered(context, attempt))
  if (earlier) return earlier.answer as Message
  const begun = await beginTurnOrWait(context, asked, attempt)
  if ('answer' in begun) return begun.answer
  const live = streamId === null ? silent : beginLive(context, begun.sessionId, streamId)
  let masker: Masker | null = null
  try {
    masker = await maskerOf(context, begun)
    const history = await listMessages(
      context,
      begun.sessionId,
      Math.max(0, begun.messageCount - mostHistory),
      mostHistory,
    )
    const turn = await runTurn(context, begun, history, asked.content, masker, live.tell)
    return await finish(context, asked, begun, turn, masker)
  } catch (error) {
    await release(context, begun, masker && masker.mask(asked.content))
    throw error
  } finally {
    live.end()
  }
}

const silent = { tell: () => undefined, end: () => undefined }

function finish(
  context: Context,
  asked: MessageAsked,
  begun: Session,
  turn: Turn,
  masker: Masker,
): Promise<Message> {
  return command(context, operation, asked, async (): Promise<Decision<Message>> => {
    const before = await requireSession(context, asked.sessionId)
    const { sessionId, status, messageCount } = before
    // A kill switch may have ended the session already; the partial turn is still recorded.
    if (status !== 'active' && !turn.killed) {
      throw new Problem('SESSION_NOT_ACTIVE', { resourceId: sessionId, currentState: status })
    }
    // A turn that took too long has lost the session to another turn.
    if (status === 'active' && !isSameTurn(before, begun)) {
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
    busyWith: null,
    messageCount: before.messageCount + 2,
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    costMicros: before.costMicros + usage.costMicros,
    breaches,
    lastActiveAt: now,
    expiresAt: expiryOf(before.createdAt, now),
  }
  if (before.status !== 'active') return used
  if (killed) return moveSession(used, 'terminated', killed)
  if (breaches >= mostBreaches) return moveSession(used, 'terminated', 'policy-breaches')
  return status === 'awaiting-approval' ? moveSession(used, 'awaiting-approval') : used
}

function eventOf({ status }: Turn): SessionEvent {
  if (status === 'blocked') return 'ai.message.blocked'
  return status === 'failed' ? 'ai.message.failed' : 'ai.message.completed'
}

/** The further events of a turn: guardrails, tool calls and status changes of the session. */
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

/** The events of a tool call: its request and its resulting state. */
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

function detailsOf({ bank }: Context, turn: Turn): MessageDetails {
  const { alias, name: provider, model: name } = providerOf(bank)
  const { calls, verdicts: guardrails, usage, status } = turn
  const used = status === 'completed' ? calls.filter(({ state }) => state === 'executed') : []
  return {
    citations: used.map((call) => ({ toolCallId: call.toolCallId, source: sourceOf(call) })),
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

/** The source of a citation: the tool and its arguments, such as `get_balance arr_1`. */
function sourceOf({ name, args }: ToolCall): string {
  return [name, ...Object.values(args).map(String)].join(' ')
}

const maskPlace = (sessionId: string) => `assist-masks/${sessionId}`

/** The masker of a session, with its masks so far and the names of its party. */
async function maskerOf({ bank }: Context, session: Session): Promise<Masker> {
  const { masks, sessionId, subjectPartyId } = session
  const known = masks ? (JSON.parse(bank.vault.open(masks, maskPlace(sessionId))) as Masks) : {}
  if (subjectPartyId === null) return new Masker(known, [])
  const { party } = await bank.ask(AssistNamesDocument, { partyId: subjectPartyId })
  const named = requireFound(party, 'PARTY_NOT_FOUND', subjectPartyId)
  const { displayName, givenName, familyName, organisationName } = named
  const names = [displayName, givenName, familyName, organisationName]
  return new Masker(
    known,
    names.filter((name) => typeof name === 'string'),
  )
}

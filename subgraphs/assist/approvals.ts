import { requireBank } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { catalogue, Problem } from '../_kernel/domain/problem.ts'
import type { Told } from '../_kernel/events.ts'
import { requireAnotherPerson } from '../_kernel/principals.ts'
import type { Write } from '../_kernel/writes.ts'
import { actingFor } from './acting.ts'
import { mayUseFor, requireConsent } from './consent-check.ts'
import type { Message } from './domain/message.ts'
import { moveSession, type Session } from './domain/session.ts'
import { approveCall, editCall, moveCall, rejectCall, type ToolCall } from './domain/tool-call.ts'
import { argumentFault, isToolName, type ToolName } from './domain/tool.ts'
import { linesOf, type Step } from './transcript.ts'
import type { ToolCallEvent } from './events.ts'
import { argumentsHashOf } from './hashes.ts'
import { phrase } from './provider/phrases.ts'
import { toldOf } from './send-message.ts'
import { changed, withLines } from './sessions.ts'
import { findKilled } from './store/kill-switch.ts'
import { insertMessages } from './store/message.ts'
import { sessionKind } from './store/session.ts'
import { findToolCall, updateToolCall } from './store/tool-call.ts'
import { insertLines } from './store/transcript.ts'
import { runTool } from './tools/run.ts'

export interface ApprovalAsked {
  toolCallId: string
  argumentsHash: string
  reason?: string | null
}

/**
 * Approves a tool call with the reviewed arguments and executes it at once with the permissions of
 * the session. The result is added to the conversation.
 * Throws TOOL_CALL_NOT_FOUND, INVALID_STATE_TRANSITION, APPROVAL_EXPIRED, ARGUMENTS_CHANGED,
 * SEGREGATION_OF_DUTIES, SESSION_NOT_ACTIVE if the session has ended, ASSISTANT_DISABLED,
 * CONSENT_REQUIRED if consent was withdrawn, NOT_FOR_DELEGATED_USERS.
 */
export async function approveToolCall(context: Context, asked: ApprovalAsked): Promise<ToolCall> {
  requireBank(context)
  const { argumentsHash, reason = null } = asked
  const by = context.caller.subject
  const approved = await decideCall(
    context,
    'approveToolCall',
    asked,
    async (call, session, now) => {
      const after = approveCall(call, session.userId, { argumentsHash, by, reason }, now)
      const resourceId = call.toolCallId
      const detail =
        'The person who requested or edited the call, or owns the client that did, cannot approve it.'
      const participants = [session.userId, call.askedBy, call.editedBy]
      await requireAnotherPerson(context, participants, { resourceId, detail })
      await requireRunning(context, session, call)
      return {
        after,
        event: 'ai.tool-call.approved',
        body: { decision: 'approved', by, argumentsHash },
      }
    },
  )
  // A repeated request finds the tool call already executed.
  const now = await findToolCall(context, approved.toolCallId)
  return now?.state === 'approved' ? execute(context, now) : now!
}

/** Throws if the session has ended, a kill switch applies or consent was withdrawn. */
async function requireRunning(context: Context, session: Session, { name, args }: ToolCall) {
  const { sessionId: resourceId, status: currentState, assistantType } = session
  if (currentState !== 'awaiting-approval') {
    throw new Problem('SESSION_NOT_ACTIVE', { resourceId, currentState })
  }
  const [killed] = await findKilled(context, [`type:${assistantType}`, `tool:${name}`])
  if (killed)
    throw new Problem('ASSISTANT_DISABLED', {
      resourceId,
      detail: `A kill switch disables ${killed}.`,
    })
  await requireConsent(context, session)
  if (await mayUseFor(context, session, args as Record<string, unknown>)) return
  const detail = 'The party whose data the tool uses has not consented.'
  throw new Problem('CONSENT_REQUIRED', { resourceId, detail })
}

/**
 * Rejects a tool call. Throws TOOL_CALL_NOT_FOUND, INVALID_STATE_TRANSITION,
 * NOT_FOR_DELEGATED_USERS.
 */
export function rejectToolCall(
  context: Context,
  asked: { toolCallId: string; reason?: string | null },
): Promise<ToolCall> {
  requireBank(context)
  const by = context.caller.subject
  const reason = asked.reason ?? null
  return decideCall(context, 'rejectToolCall', asked, (call, _session, now) => ({
    after: rejectCall(call, by, reason, now),
    event: 'ai.tool-call.rejected',
    body: { decision: 'rejected', by, reason },
    answer: 'The request was not approved, so nothing was done.',
  }))
}

/**
 * Changes the arguments of a tool call that waits for approval. The hash changes with them, so that
 * an approval of the earlier arguments is void.
 * Throws TOOL_CALL_NOT_FOUND, INVALID_STATE_TRANSITION, VALIDATION_FAILED, NOT_FOR_DELEGATED_USERS.
 */
export function editToolCall(
  context: Context,
  asked: { toolCallId: string; args: Record<string, unknown> },
): Promise<ToolCall> {
  requireBank(context)
  const by = context.caller.subject
  return decideCall(context, 'editToolCall', asked, (call) => {
    const fault = isToolName(call.name) ? argumentFault(call.name, asked.args) : null
    if (fault) {
      const errors = [{ pointer: '/arguments', code: 'INVALID', detail: fault }]
      throw new Problem('VALIDATION_FAILED', { detail: fault, errors })
    }
    const after = editCall(
      call,
      { args: asked.args, argumentsHash: argumentsHashOf(call.name, asked.args) },
      by,
    )
    return {
      after,
      event: 'ai.tool-call.approval-requested',
      body: { decision: 'edited', by, argumentsHash: after.argumentsHash },
    }
  })
}

/**
 * Executes an approved tool call, unless the session or its permissions have ended. Idempotent: the
 * operation uses the id of the tool call as its idempotency key.
 */
export async function execute(context: Context, call: ToolCall): Promise<ToolCall> {
  const session = (await sessionKind.find(context, call.sessionId))!
  const acting = { caller: actingFor(session), toolCallId: call.toolCallId }
  const args = call.args as Record<string, string>
  let result: object
  let isDone = true
  try {
    await requireRunning(context, session, call)
    result = await runTool(context.bank, call.name as ToolName, acting, args)
  } catch (error) {
    if (!(error instanceof Problem) || 'retryable' in catalogue[error.code]) throw error
    result = { error: error.message, code: error.code }
    isDone = false
  }
  const { toolCallId } = call
  const state = isDone ? 'executed' : 'failed'
  return decideCall(context, 'executeToolCall', { toolCallId }, (found) => ({
    after: found.state === 'approved' ? moveCall(found, state, { result }) : found,
    event: `ai.tool-call.${state}`,
    body: { decision: state },
    answer: phrase(found.name, JSON.stringify(result)),
  }))
}

/** Expires a tool call that was not approved in time. */
export function expireToolCall(context: Context, { toolCallId }: ToolCall): Promise<ToolCall> {
  return decideCall(context, 'expireToolCall', { toolCallId }, (call) => ({
    after: moveCall(call, 'expired'),
    event: 'ai.tool-call.expired',
    body: { decision: 'expired' },
    answer: 'The request was not approved in time, so nothing was done.',
  }))
}

interface DecidedCall {
  after: ToolCall
  event: ToolCallEvent
  body: object
  /** The assistant's message about the decision, which resumes the session. */
  answer?: string
}

/** Commits a decision on a tool call together with its session, transcript and conversation. */
function decideCall(
  context: Context,
  operation: string,
  input: { toolCallId: string },
  decide: (call: ToolCall, session: Session, now: Date) => DecidedCall | Promise<DecidedCall>,
): Promise<ToolCall> {
  const isInner = operation === 'executeToolCall' || operation === 'expireToolCall'
  const keyed = isInner ? unkeyed(context) : context
  return command(keyed, operation, input, async () => {
    const { toolCallId: resourceId } = input
    const call = await findToolCall(context, resourceId)
    const session = call && (await sessionKind.find(context, call.sessionId))
    if (!call || !session) throw new Problem('TOOL_CALL_NOT_FOUND', { resourceId })
    const now = context.now()
    const { after, event, body, answer } = await decide(call, session, now)
    if (after === call) return { result: call, resourceId }
    const entry: Step = { kind: 'approval', body: { toolCallId: resourceId, ...body } }
    const lines = linesOf(session, [entry], now)
    const goesOn = answer !== undefined && session.status === 'awaiting-approval'
    const moved = goesOn ? resumed(session) : session
    const said = goesOn ? [aMessage(context, session, answer, now)] : []
    const counted = { ...withLines(moved, lines), messageCount: session.messageCount + said.length }
    const change = changed(session, counted, now, goesOn ? 'ai.session.resumed' : 'ai.session.held')
    const told: Told[] = [toldOf(session, after, event, after.version + 2)]
    const writes: Write[] = [updateToolCall(context, after), ...change.writes!, insertLines(lines)]
    if (said.length > 0) writes.push(insertMessages(context, said))
    const result = { ...after, version: call.version + 1 }
    return { result, resourceId, writes, events: [...told, ...(goesOn ? change.events! : [])] }
  })
}

function unkeyed(context: Context): Context {
  return { ...context, envelope: { ...context.envelope, idempotencyKey: undefined } }
}

function resumed(session: Session): Session {
  return moveSession(session, 'active')
}

function aMessage(context: Context, session: Session, content: string, now: Date): Message {
  const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 }
  const model = { alias: session.modelAlias, provider: 'bankgraph', name: 'approvals' }
  return {
    messageId: context.newId('assistMessage'),
    sessionId: session.sessionId,
    sequence: session.messageCount + 1,
    role: 'assistant',
    content,
    status: 'completed',
    finishReason: 'stop',
    details: { citations: [], toolCalls: [], guardrails: [], usage, model },
    clientMessageId: null,
    createdAt: now,
  }
}

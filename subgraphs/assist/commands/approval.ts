import { requireBank } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { catalog } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { currentlyActingFor } from '../conversation/acting.ts'
import { mayUseFor, requireConsent } from './consent-check.ts'
import type { Message } from '../domain/message.ts'
import { transitionSession } from '../domain/session.ts'
import type { Session } from '../model/assist.ts'
import { approveCall, editCall, transitionToolCall, rejectCall } from '../domain/tool-call.ts'
import type { ApproveToolCallInput, ToolCall } from '../model/tool-call.ts'
import { argumentFault, isToolName, type ToolName } from '../domain/tool.ts'
import { linesOf, type Step } from '../conversation/transcript.ts'
import type { ToolCallEvent } from '../events.ts'
import { argumentsHashOf } from '../conversation/hashes.ts'
import { phrase } from '../provider/phrases.ts'
import { toolCallEventOf } from './send-message.ts'
import { sessionDecision, withLines } from './session.ts'
import { findDisabledScopes } from '../store/kill-switch.ts'
import { insertMessages } from '../store/message.ts'
import { sessionKind } from '../store/session.ts'
import { findToolCall, updateToolCall } from '../store/tool-call.ts'
import { insertLines } from '../store/transcript.ts'
import { runTool } from '../tools/run.ts'

/**
 * Approves a tool call with the reviewed arguments and executes it immediately with the permissions
 * of the session and the sender of the message. The result is added to the conversation.
 * Throws TOOL_CALL_NOT_FOUND, INVALID_STATE_TRANSITION, APPROVAL_EXPIRED, ARGUMENTS_CHANGED,
 * SEGREGATION_OF_DUTIES, SESSION_NOT_ACTIVE if the session has ended, ASSISTANT_DISABLED,
 * CONSENT_REQUIRED if consent was withdrawn, NOT_FOR_DELEGATED_USERS.
 */
export async function approveToolCall(
  context: Context,
  request: ApproveToolCallInput,
): Promise<ToolCall> {
  requireBank(context)
  const { argumentsHash, reason = null } = request
  const by = context.caller.subject
  const approvedCall = await decideCall(
    context,
    'approveToolCall',
    request,
    async (call, session, now) => {
      const after = approveCall(call, session.userId, { argumentsHash, by, reason }, now)
      const resourceId = call.toolCallId
      const detail =
        'The tool call cannot be approved by a person who requested or edited it, or who owns the client that did.'
      const participants = [session.userId, call.requestedBy, call.editedBy]
      await requireAnotherPerson(context, participants, { resourceId, detail })
      await requireExecutable(context, session, call)
      return {
        after,
        event: 'ai.tool-call.approved',
        body: { decision: 'approved', by, argumentsHash },
      }
    },
  )
  // On a retry, the tool call has already been executed.
  const current = await findToolCall(context, approvedCall.toolCallId)
  return current?.state === 'approved' ? execute(context, current) : current!
}

/**
 * Checks that the tool call can be executed. Throws SESSION_NOT_ACTIVE if the session does not wait
 * for an approval, ASSISTANT_DISABLED if a kill switch applies, and CONSENT_REQUIRED.
 */
async function requireExecutable(context: Context, session: Session, { name, args }: ToolCall) {
  const { sessionId: resourceId, status: currentState, assistantType } = session
  if (currentState !== 'awaiting-approval') {
    throw new Problem('SESSION_NOT_ACTIVE', { resourceId, currentState })
  }
  const [disabledScope] = await findDisabledScopes(context, [
    `type:${assistantType}`,
    `tool:${name}`,
  ])
  if (disabledScope)
    throw new Problem('ASSISTANT_DISABLED', {
      resourceId,
      detail: `A kill switch disables ${disabledScope}.`,
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
  request: { toolCallId: string; reason?: string | null },
): Promise<ToolCall> {
  requireBank(context)
  const by = context.caller.subject
  const reason = request.reason ?? null
  return decideCall(context, 'rejectToolCall', request, (call, _session, now) => ({
    after: rejectCall(call, by, reason, now),
    event: 'ai.tool-call.rejected',
    body: { decision: 'rejected', by, reason },
    answer: 'The request was not approved, so nothing was done.',
  }))
}

/**
 * Changes the arguments of a tool call that waits for approval. The hash of the arguments changes
 * too, so that an approval of the previous arguments is rejected.
 * Throws TOOL_CALL_NOT_FOUND, INVALID_STATE_TRANSITION, VALIDATION_FAILED, NOT_FOR_DELEGATED_USERS.
 */
export function editToolCall(
  context: Context,
  request: { toolCallId: string; args: Record<string, unknown> },
): Promise<ToolCall> {
  requireBank(context)
  const by = context.caller.subject
  return decideCall(context, 'editToolCall', request, (call) => {
    const fault = isToolName(call.name) ? argumentFault(call.name, request.args) : null
    if (fault) {
      const errors = [{ pointer: '/arguments', code: 'INVALID', detail: fault }]
      throw new Problem('VALIDATION_FAILED', { detail: fault, errors })
    }
    const after = editCall(
      call,
      { args: request.args, argumentsHash: argumentsHashOf(call.name, request.args) },
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
 * Executes an approved tool call with the permissions that its session and the sender of the message
 * still have. The call fails if they were revoked, the session has ended, a kill switch applies or
 * consent was withdrawn. A retry has no further effect, because the ID of the tool call is the
 * idempotency key of the operation.
 */
export async function execute(context: Context, call: ToolCall): Promise<ToolCall> {
  const session = (await sessionKind.find(context, call.sessionId))!
  const args = call.args as Record<string, string>
  let result: object
  let isDone = true
  try {
    await requireExecutable(context, session, call)
    const caller = await currentlyActingFor(context, session, call)
    const acting = { caller, toolCallId: call.toolCallId }
    result = await runTool(context.bank, call.name as ToolName, acting, args)
  } catch (error) {
    if (!(error instanceof Problem) || 'retryable' in catalog[error.code]) throw error
    result = { error: error.message, code: error.code }
    isDone = false
  }
  const { toolCallId } = call
  const state = isDone ? 'executed' : 'failed'
  return decideCall(context, 'executeToolCall', { toolCallId }, (found) => ({
    after: found.state === 'approved' ? transitionToolCall(found, state, { result }) : found,
    event: `ai.tool-call.${state}`,
    body: { decision: state },
    answer: phrase(found.name, JSON.stringify(result)),
  }))
}

/** Expires a tool call that was not approved in time. */
export function expireToolCall(context: Context, { toolCallId }: ToolCall): Promise<ToolCall> {
  return decideCall(context, 'expireToolCall', { toolCallId }, (call) => ({
    after: transitionToolCall(call, 'expired'),
    event: 'ai.tool-call.expired',
    body: { decision: 'expired' },
    answer: 'The request was not approved in time, so nothing was done.',
  }))
}

interface DecidedCall {
  after: ToolCall
  event: ToolCallEvent
  body: object
  /** The assistant's message about the decision. If present, the session resumes. */
  answer?: string
}

/**
 * Commits a change of a tool call together with its session, transcript and conversation. Throws
 * TOOL_CALL_NOT_FOUND and whatever `decide` throws.
 */
function decideCall(
  context: Context,
  operation: string,
  input: { toolCallId: string },
  decide: (call: ToolCall, session: Session, now: Date) => DecidedCall | Promise<DecidedCall>,
): Promise<ToolCall> {
  const isInternal = operation === 'executeToolCall' || operation === 'expireToolCall'
  const commandContext = isInternal ? withoutIdempotencyKey(context) : context
  return command(commandContext, operation, input, async () => {
    const { toolCallId: resourceId } = input
    const call = await findToolCall(context, resourceId)
    const session = call && (await sessionKind.find(context, call.sessionId))
    if (!call || !session) throw new Problem('TOOL_CALL_NOT_FOUND', { resourceId })
    const now = context.now()
    const { after, event, body, answer } = await decide(call, session, now)
    if (after === call) return { result: call, resourceId }
    const step: Step = { kind: 'approval', body: { toolCallId: resourceId, ...body } }
    const lines = linesOf(session, [step], now)
    const isResumed = answer !== undefined && session.status === 'awaiting-approval'
    const nextSession = isResumed ? resumeSession(session) : session
    const messages = isResumed ? [assistantMessage(context, session, answer, now)] : []
    const withMessageCount = {
      ...withLines(nextSession, lines),
      messageCount: session.messageCount + messages.length,
    }
    const change = sessionDecision(
      session,
      withMessageCount,
      now,
      isResumed ? 'ai.session.resumed' : 'ai.session.held',
    )
    const toolCallEvents: DomainEvent[] = [
      toolCallEventOf(session, after, event, after.version + 2),
    ]
    const writes: Write[] = [updateToolCall(context, after), ...change.writes!, insertLines(lines)]
    if (messages.length > 0) writes.push(insertMessages(context, messages))
    const result = { ...after, version: call.version + 1 }
    return {
      result,
      resourceId,
      writes,
      events: [...toolCallEvents, ...(isResumed ? change.events! : [])],
    }
  })
}

function withoutIdempotencyKey(context: Context): Context {
  return { ...context, envelope: { ...context.envelope, idempotencyKey: undefined } }
}

function resumeSession(session: Session): Session {
  return transitionSession(session, 'active')
}

function assistantMessage(context: Context, session: Session, content: string, now: Date): Message {
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

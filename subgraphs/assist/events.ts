import { declareEvents } from '../_kernel/events.ts'
import { id, oneOf, orNull, record, text, whole } from '../_kernel/event-data.ts'
import { assistantStatuses } from './domain/assistant-version.ts'
import { consentStatuses } from './domain/consent.ts'
import { sessionStatuses } from './domain/session.ts'
import { toolCallStates } from './domain/tool-call.ts'

export const sessionEvents = declareEvents(
  {
    'ai.session.created': 'A session was opened.',
    'ai.session.resumed': 'A session resumed after a tool call was approved, rejected or expired.',
    'ai.session.held': 'A session waits for another person to approve a tool call.',
    'ai.session.closed': 'The user closed a session.',
    'ai.session.expired': 'A session expired.',
    'ai.session.terminated': 'The bank ended a session.',
    'ai.message.received': 'A user sent a message to an assistant.',
    'ai.message.completed': 'An assistant answered a message.',
    'ai.message.blocked': 'A guardrail stopped a message or its answer.',
    'ai.message.failed': 'The model did not answer a message, or was stopped.',
    'ai.guardrail.triggered': 'A guardrail blocked or flagged something.',
  },
  record({
    sessionId: id,
    assistantType: text,
    status: oneOf(sessionStatuses),
    messages: whole,
    endReason: orNull(text),
  }),
)
export type SessionEvent = keyof typeof sessionEvents

export const toolCallEvents = declareEvents(
  {
    'ai.tool-call.requested': 'An assistant requested a tool call.',
    'ai.tool-call.approval-requested': 'A tool call waits for the approval of another person.',
    'ai.tool-call.approved': 'A tool call was approved.',
    'ai.tool-call.rejected': 'A tool call was rejected.',
    'ai.tool-call.executed': 'A tool call was executed.',
    'ai.tool-call.failed': 'A tool call could not be executed.',
    'ai.tool-call.denied': 'A tool call was not permitted.',
    'ai.tool-call.expired': 'A tool call was not approved in time.',
  },
  record({
    toolCallId: id,
    sessionId: id,
    name: text,
    state: oneOf(toolCallStates),
    argumentsHash: text,
  }),
)
export type ToolCallEvent = keyof typeof toolCallEvents

export const consentEvents = declareEvents(
  {
    'ai.consent.granted': 'A party consented to an assistant sharing its data with a model.',
    'ai.consent.withdrawn':
      'A party withdrew or refused consent to an assistant sharing its data with a model.',
  },
  record({
    consentId: id,
    partyId: id,
    assistantType: text,
    provider: text,
    status: oneOf(consentStatuses),
  }),
)
export type ConsentEvent = keyof typeof consentEvents

export const assistantEvents = declareEvents(
  {
    'ai.assistant.drafted': 'A version of an assistant was drafted.',
    'ai.assistant.published': 'A version of an assistant was published.',
    'ai.assistant.retired': 'A version of an assistant was retired.',
  },
  record({
    assistantVersionId: id,
    assistantType: text,
    number: whole,
    status: oneOf(assistantStatuses),
  }),
)
export type AssistantEvent = keyof typeof assistantEvents

declareEvents(
  { 'ai.kill-switch.changed': 'An assistant kill switch was activated or deactivated.' },
  record({ scope: text, isOn: oneOf(['on', 'off']) }),
)

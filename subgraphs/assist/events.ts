import { declareEvents } from '../_kernel/events.ts'
import { id, oneOf, orNull, record, text, whole } from '../_kernel/event-data.ts'
import { assistantStatuses } from './domain/assistant-version.ts'
import { consentStatuses } from './domain/consent.ts'
import { sessionStatuses } from './domain/session.ts'
import { toolCallStates } from './domain/tool-call.ts'

export const sessionEvents = declareEvents(
  {
    'ai.session.created': 'Somebody talks with an assistant.',
    'ai.session.resumed': 'A session goes on after an approval was given or refused.',
    'ai.session.held': 'A session waits for the approval of another person.',
    'ai.session.closed': 'A session was ended by its user.',
    'ai.session.expired': 'Nobody used a session for too long.',
    'ai.session.terminated': 'A session was ended by the bank.',
    'ai.message.received': 'An assistant was asked something.',
    'ai.message.completed': 'An assistant answered.',
    'ai.message.blocked': 'A rule kept an assistant from answering.',
    'ai.message.failed': 'The model behind an assistant did not answer.',
    'ai.guardrail.triggered': 'A rule stopped or flagged something.',
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
    'ai.tool-call.requested': 'An assistant asked for a tool.',
    'ai.tool-call.approval-requested': 'What an assistant wants to do waits for another person.',
    'ai.tool-call.approved': 'A person approved what an assistant wants to do.',
    'ai.tool-call.rejected': 'A person refused what an assistant wants to do.',
    'ai.tool-call.executed': 'A tool did what it was asked for.',
    'ai.tool-call.failed': 'A tool could not do what it was asked for.',
    'ai.tool-call.denied': 'An assistant asked for what it may not have.',
    'ai.tool-call.expired': 'Nobody approved in time what an assistant wants to do.',
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
    'ai.consent.granted': 'A party agreed that an assistant gives its data to a model.',
    'ai.consent.withdrawn':
      'A party does not, or no longer, agree that an assistant gives its data to a model.',
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
    'ai.assistant.drafted': 'Somebody drafted a version of an assistant.',
    'ai.assistant.published': 'Sessions open with this version of an assistant from now on.',
    'ai.assistant.retired': 'No session opens with this version of an assistant any more.',
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
  { 'ai.kill-switch.changed': 'Assistants were switched off, or on again.' },
  record({ scope: text, isOn: oneOf(['on', 'off']) }),
)

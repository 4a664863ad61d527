import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import { id, oneOf, orNull, record, text, integer } from '../../kernel/events/event-data.ts'
import {
  declareRecordEvents,
  declareSubject,
  type EventTypeOf,
} from '../../kernel/events/record-data.ts'
import { Session, sessionStates } from './model/assist.ts'
import { assistantStates, AssistantVersion } from './model/assistant.ts'
import { Consent } from './model/consent.ts'
import { SessionStatus } from './model/enumerations.ts'
import { ToolCall } from './model/tool-call.ts'

declareSubject('assist-session', Session)

export const sessionEvents = declareEvents(
  {
    'ai.session.created': 'A session was opened.',
    'ai.session.resumed': 'A session resumed after a tool call was approved, rejected or expired.',
    'ai.session.held': 'A session waits for another person to approve a tool call.',
    'ai.session.expired': 'A session expired.',
    'ai.session.terminated': 'The bank ended a session.',
    'ai.message.received': 'A user sent a message to an assistant.',
    'ai.message.completed': 'An assistant answered a message.',
    'ai.message.blocked': 'A guardrail blocked a message or its answer.',
    'ai.message.failed':
      'A message was not answered, because the model failed or the turn was stopped.',
    'ai.guardrail.triggered':
      'A guardrail blocked or flagged a message, an answer or the result of a tool.',
    ...eventsOf(sessionStates),
  },
  record({
    sessionId: id,
    assistantType: text,
    status: oneOf(SessionStatus.values),
    messages: integer,
    endReason: orNull(text),
  }),
)
export type SessionEvent = keyof typeof sessionEvents

export const toolCallEvents = declareRecordEvents('assist-tool-call', ToolCall, {
  'ai.tool-call.requested': 'An assistant requested a tool call.',
  'ai.tool-call.approval-requested': 'A tool call waits for the approval of another person.',
  'ai.tool-call.approved': 'A tool call was approved.',
  'ai.tool-call.rejected': 'A tool call was rejected.',
  'ai.tool-call.executed': 'A tool call was executed.',
  'ai.tool-call.failed': 'A tool call could not be executed.',
  'ai.tool-call.denied': 'A tool call was denied because the assistant may not use the tool.',
  'ai.tool-call.expired': 'A tool call was not approved in time.',
})
export type ToolCallEvent = EventTypeOf<typeof toolCallEvents>

export const consentEvents = declareRecordEvents('assist-consent', Consent, {
  'ai.consent.granted':
    'A party gave its consent to share its data with the model of an assistant.',
  'ai.consent.withdrawn':
    'A party withdrew or refused its consent to share its data with the model of an assistant.',
})

export const assistantEvents = declareRecordEvents('assistant-version', AssistantVersion, {
  'ai.assistant.drafted': 'A version of an assistant was drafted.',
  ...eventsOf(assistantStates),
})
export type AssistantEvent = EventTypeOf<typeof assistantEvents>

declareEvents(
  { 'ai.kill-switch.changed': 'An assistant kill switch was activated or deactivated.' },
  record({ scope: text, isOn: oneOf(['on', 'off']) }),
)

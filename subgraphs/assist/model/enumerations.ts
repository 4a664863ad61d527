import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const AssistantStatus = enumeration(
  'AssistantVersionStatus',
  'The lifecycle status of an assistant version.',
  {
    draft: 'The version was drafted and is not used yet.',
    published: 'New sessions of the assistant type use the version.',
    retired: 'No new session uses the version. This status is final.',
  },
)
export type AssistantStatus = TypeOf<typeof AssistantStatus>

export const ConsentNeed = enumeration(
  'AssistConsentNeed',
  'When a session needs the consent of the party it is about.',
  {
    never: 'No consent is needed.',
    'outside-model': 'Consent is needed if the model is operated outside the bank.',
    always: 'Consent is always needed.',
  },
)
export type ConsentNeed = TypeOf<typeof ConsentNeed>

export const ToolCallState = enumeration('ToolCallState', 'The state of a tool call.', {
  requested: 'The assistant requested the tool call.',
  'awaiting-approval': 'The tool call waits for the approval of another person.',
  approved: 'The tool call was approved and is about to be executed.',
  executed: 'The tool call was executed. This state is final.',
  failed: 'The tool call could not be executed. This state is final.',
  denied: 'The tool call was not permitted and was not executed. This state is final.',
  rejected: 'A person rejected the tool call. This state is final.',
  expired: 'The tool call was not approved in time. This state is final.',
})
export type ToolCallState = TypeOf<typeof ToolCallState>

export const ToolClass = enumeration(
  'ToolClass',
  'The class of a tool, which determines whether it needs approval.',
  {
    read: 'The tool reads data. It is executed without approval.',
    propose:
      'The tool calculates a preview. It is executed without approval, unless the assistant has ' +
      'read untrusted text, such as a document, earlier in the same turn.',
    act: 'The tool changes data. It is executed only after another person approved the tool call.',
    forbidden: 'The tool cannot be used by assistants.',
  },
)
export type ToolClass = TypeOf<typeof ToolClass>

export const SessionStatus = enumeration(
  'AssistSessionStatus',
  'The status of an assist session.',
  {
    active: 'The session accepts messages.',
    'awaiting-approval': 'The session waits for another person to approve a tool call.',
    closed: 'The user closed the session. This status is final.',
    expired: 'The session was idle for 30 minutes or open for 8 hours. This status is final.',
    terminated:
      'The bank ended the session because of a kill switch, withdrawn consent or repeated ' +
      'policy violations. This status is final.',
  },
)
export type SessionStatus = TypeOf<typeof SessionStatus>

export const MessageStatus = enumeration(
  'AssistMessageStatus',
  'The outcome of the turn a message belongs to.',
  {
    completed: 'The assistant answered.',
    blocked: 'A guardrail stopped the question or the answer; the content is a safe replacement.',
    'awaiting-approval': 'The assistant wants to use a tool that another person must approve.',
    failed:
      'The turn was stopped by a kill switch or withdrawn consent, or needed more than 8 ' +
      'requests to the model.',
  },
)
export type MessageStatus = TypeOf<typeof MessageStatus>

export const FrameKind = enumeration(
  'AssistFrameKind',
  'What happened in a step of a running turn.',
  {
    begun: 'The turn started.',
    tool: 'The assistant requested a tool call; `toolCall` contains its state.',
    guardrail: 'A guardrail flagged the result of a tool.',
    sentence: 'The next sentence of the answer, which passed the guardrails.',
    blocked: 'A guardrail blocked the turn. All sentences sent so far must be discarded.',
    withdrawn: 'The sentences sent so far are not part of the answer and must be discarded.',
  },
)
export type FrameKind = TypeOf<typeof FrameKind>

export const ConsentStatus = enumeration(
  'AssistConsentStatus',
  "A party's latest decision on sharing its data with an assistant's model.",
  { granted: 'The party consents.', withdrawn: 'The party declined or withdrew consent.' },
)
export type ConsentStatus = TypeOf<typeof ConsentStatus>

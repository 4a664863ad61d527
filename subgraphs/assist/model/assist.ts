import { ToolClass, SessionStatus, ToolCallState, MessageStatus } from './enumerations.ts'
import {
  boolean,
  entity,
  id,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'

export const AssistModel = shape('AssistModel', 'The language model that answers in a session.', {
  alias: string("The bank's alias for the model. Kill switches refer to the model by this alias."),
  provider: string('The provider of the model.'),
  name: string("The provider's name for the model."),
})
export type AssistModel = TypeOf<typeof AssistModel>

export const AssistTool = shape('AssistTool', 'A tool that an assistant can use.', {
  name: string('The name of the tool.'),
  toolClass: oneOf(ToolClass, 'The class of the tool, which determines whether it needs approval.'),
  description: string('What the tool does.'),
})
export type AssistTool = TypeOf<typeof AssistTool>

export const AssistLimits = shape('AssistLimits', 'The limits of a session.', {
  maxMessages: integer('The maximum number of messages.'),
  maxTokens: integer('The maximum number of input and output tokens, as counted by the provider.'),
  maxCostMicros: integer(
    'The maximum cost, in millionths of a unit of the currency in which the model is priced.',
  ),
})
export type AssistLimits = TypeOf<typeof AssistLimits>

export const Usage = shape(
  'AssistUsage',
  'The model tokens that a message or session used, and their cost.',
  {
    inputTokens: integer('The number of input tokens, as counted by the provider.'),
    outputTokens: integer('The number of output tokens, as counted by the provider.'),
    costMicros: integer(
      'The cost, in millionths of a unit of the currency in which the model is priced.',
    ),
  },
)
export type Usage = TypeOf<typeof Usage>

/** What identifies a token, besides its client and its subject, and what can revoke it. */
export interface TokenIds {
  tokenId: string
  grantId: string | null
  sessionId: string | null
  issuedAt: number
}

/** A conversation of one user with an assistant, optionally limited to one party. */
export const Session = entity(
  'AssistSession',
  'sessionId',
  'A conversation with an assistant. The assistant acts with the permissions of the user who ' +
    'opened the session.',
  {
    sessionId: id('The ID of the session, such as `ses_…`.'),
    assistantType: label('The type of the assistant.'),
    assistantVersionId: id(
      'The ID of the assistant version the session uses until it ends; null for the general ' +
        'assistant.',
    ).orNull(),
    status: oneOf(SessionStatus, 'The status of the session.'),
    subject: string(
      'The record the session is about, as `<entity>/<id>`, such as `facility/fac_1`; null if ' +
        'none was given.',
    ).orNull(),
    channel: label('The channel the user is on; null if none was given.').orNull(),
    locale: label('The language of the conversation, as a BCP 47 tag.'),
    purpose: text('The purpose of the conversation; null if none was given.').orNull(),
    policyVersion: string('The version of the assistant policy that applies to the session.'),
    policyHash: string(
      'The SHA-256 hash of the policy and the configuration of the assistant, in hexadecimal.',
    ),
    endReason: string(
      'The reason why the session ended, as a code such as `closed-by-user`, `idle` or ' +
        '`policy-breaches`; null while it is open.',
    ).orNull(),
    createdAt: instant('When the session was opened.'),
    expiresAt: instant('When the session expires if no further message is sent.'),
    /** The client and the user who opened the session. The assistant acts with their permissions. */
    clientId: stored<string>(),
    userId: stored<string>(),
    /** The party for which the client acts; null for bank employees and service clients. */
    actingPartyId: stored<string | null>(),
    scopes: stored<readonly string[]>(),
    /** The token with which the session was opened; null if it was not recorded. */
    openerToken: stored<TokenIds | null>(),
    /** The only party whose data the session can use; null if only permissions limit the session. */
    subjectPartyId: stored<string | null>(),
    modelAlias: stored<string>(),
    messageCount: stored<number>(),
    inputTokens: stored<number>(),
    outputTokens: stored<number>(),
    costMicros: stored<number>(),
    breaches: stored<number>(),
    /** The deadline of the running turn; null if no turn is running. */
    busyUntil: stored<Date | null>(),
    /** The hash of the running turn's idempotency key and request; null if there is no key. */
    busyWith: stored<string | null>(),
    /** The masks and their values, encrypted; null if nothing was masked. */
    masks: stored<string | null>(),
    transcriptLength: stored<number>(),
    transcriptHash: stored<string>(),
    lastActiveAt: stored<Date>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type Session = TypeOf<typeof Session>

export const sessionStates = stateMachine(
  Session,
  'status',
  {
    closeAssistSession: {
      description: 'Closes an active session.',
      scope: 'assist:use',
      from: ['active'],
      to: 'closed',
      event: ['ai.session.closed', 'The user closed a session.'],
      set: () => ({ endReason: 'closed-by-user', busyUntil: null, busyWith: null }),
      isForDelegatedUsers: true,
    },
  },
  {
    active: ['awaiting-approval', 'expired', 'terminated'],
    'awaiting-approval': ['active', 'expired', 'terminated'],
  },
)

export const Citation = shape(
  'AssistCitation',
  'A source of an answer: a tool call that was executed in the turn.',
  {
    toolCallId: id('The ID of the tool call that was executed.'),
    source: string('The tool and its arguments, such as `get_balance arr_1`.'),
  },
)
export type Citation = TypeOf<typeof Citation>

export const GuardrailVerdict = shape(
  'GuardrailVerdict',
  'The verdict of a guardrail that blocked or flagged a text.',
  {
    policyId: string('The ID of the guardrail, such as `prompt-injection`.'),
    version: string('The version of the guardrails.'),
    stage: string(
      "The text that the guardrail checked: `input` (the user's message), `retrieval` (text " +
        'returned by a tool) or `output` (the answer).',
    ),
    action: string('What the guardrail did: `blocked` or `flagged`.'),
  },
)
export type GuardrailVerdict = TypeOf<typeof GuardrailVerdict>

export const ToolCallSummary = shape('AssistToolUse', 'A tool call as part of a message.', {
  toolCallId: id('The ID of the tool call.'),
  name: string('The name of the tool.'),
  status: oneOf(ToolCallState, 'The state of the tool call when the message was written.'),
  requiresApproval: boolean(
    'Whether the tool call waited for approval when the message was written.',
  ),
})
export type ToolCallSummary = TypeOf<typeof ToolCallSummary>

export const AssistMessage = entity(
  'AssistMessage',
  'messageId',
  'A message in an assist session.',
  {
    messageId: id('The ID of the message, such as `msg_…`.'),
    sessionId: id('The ID of the session.'),
    role: string('The author of the message: `user` or `assistant`.'),
    content: string('The text of the message.'),
    clientMessageId: label(
      'The message ID that the client chose; null for answers, and if the client chose none.',
    ).orNull(),
    status: oneOf(MessageStatus, 'The outcome of the turn the message belongs to.'),
    finishReason: string(
      'Why the turn ended: `stop` (the answer is complete), `guardrail`, `approval-required`, ' +
        '`tool-limit`, `kill-switch` or `consent-withdrawn`.',
    ),
    citations: list(
      object(Citation),
      'The tool calls that were executed for the answer; empty unless the assistant answered.',
    ),
    toolCalls: list(
      object(ToolCallSummary),
      'The tools the assistant used or wants to use in the turn.',
    ),
    guardrails: list(object(GuardrailVerdict), 'The verdicts of guardrails in the turn.'),
    usage: object(Usage, 'The model tokens that the turn used, and their cost.'),
    model: object(AssistModel, 'The model that answered.'),
    transcriptSequence: integer(
      'The position of the message among the messages of the session, starting at 1.',
    ),
    createdAt: instant('When the message was recorded.'),
  },
  { isResolvable: false },
)
export type AssistMessage = TypeOf<typeof AssistMessage>

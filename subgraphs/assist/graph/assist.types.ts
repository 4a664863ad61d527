import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { messageStatuses, type MessageStatus } from '../domain/message.ts'
import { sessionStatuses, type SessionStatus } from '../domain/session.ts'
import type { ToolCallState } from '../domain/tool-call.ts'
import type { ToolClass } from '../domain/tool.ts'
import { ToolCallStateEnum, ToolClassEnum } from './tool-call.types.ts'

const SessionStatusEnum = wireEnum(
  'AssistSessionStatus',
  sessionStatuses,
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

const MessageStatusEnum = wireEnum(
  'AssistMessageStatus',
  messageStatuses,
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

@ObjectType({ description: 'The language model that answers in a session.' })
export class AssistModel {
  @Field(() => String, {
    description: "The bank's alias for the model. Kill switches refer to the model by this alias.",
  })
  alias: string

  @Field(() => String, { description: 'The provider of the model.' })
  provider: string

  @Field(() => String, { description: "The provider's name for the model." })
  name: string
}

@ObjectType({ description: 'A tool that an assistant can use.' })
export class AssistTool {
  @Field(() => String, { description: 'The name of the tool.' })
  name: string

  @Field(() => ToolClassEnum, {
    description: 'The class of the tool, which determines whether it needs approval.',
  })
  toolClass: ToolClass

  @Field(() => String, { description: 'What the tool does.' })
  description: string
}

@ObjectType({ description: 'The limits of a session.' })
export class AssistLimits {
  @Field(() => Int, { description: 'The maximum number of messages.' })
  maxMessages: number

  @Field(() => Int, {
    description: 'The maximum number of input and output tokens, as counted by the provider.',
  })
  maxTokens: number

  @Field(() => Int, {
    description:
      'The maximum cost, in millionths of a unit of the currency in which the model is priced.',
  })
  maxCostMicros: number
}

@ObjectType({ description: 'The model tokens that a message or session used, and their cost.' })
export class AssistUsage {
  @Field(() => Int, { description: 'The number of input tokens, as counted by the provider.' })
  inputTokens: number

  @Field(() => Int, { description: 'The number of output tokens, as counted by the provider.' })
  outputTokens: number

  @Field(() => Int, {
    description: 'The cost, in millionths of a unit of the currency in which the model is priced.',
  })
  costMicros: number
}

@ObjectType({
  description:
    'A conversation with an assistant. The assistant acts with the permissions of the user who ' +
    'opened the session.',
})
@Directive('@key(fields: "sessionId")')
export class AssistSession {
  @Field(() => ID, { description: 'The ID of the session, such as `ses_…`.' })
  sessionId: string

  @Field(() => LabelScalar, { description: 'The type of the assistant.' })
  assistantType: string

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the assistant version the session uses until it ends; null for the general ' +
      'assistant.',
  })
  assistantVersionId: string | null

  @Field(() => SessionStatusEnum, { description: 'The status of the session.' })
  status: SessionStatus

  @Field(() => String, {
    nullable: true,
    description:
      'The record the session is about, as `<entity>/<id>`, such as `facility/fac_1`; null if ' +
      'none was given.',
  })
  subject: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The channel the user is on; null if none was given.',
  })
  channel: string | null

  @Field(() => LabelScalar, { description: 'The language of the conversation, as a BCP 47 tag.' })
  locale: string

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The purpose of the conversation; null if none was given.',
  })
  purpose: string | null

  @Field(() => String, {
    description: 'The version of the assistant policy that applies to the session.',
  })
  policyVersion: string

  @Field(() => String, {
    description:
      'The SHA-256 hash of the policy and the configuration of the assistant, in hexadecimal.',
  })
  policyHash: string

  @Field(() => String, {
    nullable: true,
    description:
      'The reason why the session ended, as a code such as `closed-by-user`, `idle` or ' +
      '`policy-breaches`; null while it is open.',
  })
  endReason: string | null

  @Field(() => DateTimeScalar, { description: 'When the session was opened.' })
  createdAt: Date

  @Field(() => DateTimeScalar, {
    description: 'When the session expires if no further message is sent.',
  })
  expiresAt: Date
}

@ObjectType({ description: 'A source of an answer: a tool call that was executed in the turn.' })
export class AssistCitation {
  @Field(() => ID, { description: 'The ID of the tool call that was executed.' })
  toolCallId: string

  @Field(() => String, { description: 'The tool and its arguments, such as `get_balance arr_1`.' })
  source: string
}

@ObjectType({ description: 'The verdict of a guardrail that blocked or flagged a text.' })
export class GuardrailVerdict {
  @Field(() => String, { description: 'The ID of the guardrail, such as `prompt-injection`.' })
  policyId: string

  @Field(() => String, { description: 'The version of the guardrails.' })
  version: string

  @Field(() => String, {
    description:
      "The text that the guardrail checked: `input` (the user's message), `retrieval` (text " +
      'returned by a tool) or `output` (the answer).',
  })
  stage: string

  @Field(() => String, { description: 'What the guardrail did: `blocked` or `flagged`.' })
  action: string
}

@ObjectType({ description: 'A tool call as part of a message.' })
export class AssistToolUse {
  @Field(() => ID, { description: 'The ID of the tool call.' })
  toolCallId: string

  @Field(() => String, { description: 'The name of the tool.' })
  name: string

  @Field(() => ToolCallStateEnum, {
    description: 'The state of the tool call when the message was written.',
  })
  status: ToolCallState

  @Field(() => Boolean, {
    description: 'Whether the tool call waited for approval when the message was written.',
  })
  requiresApproval: boolean
}

@ObjectType({ description: 'A message in an assist session.' })
@Directive('@key(fields: "messageId", resolvable: false)')
export class AssistMessage {
  @Field(() => ID, { description: 'The ID of the message, such as `msg_…`.' })
  messageId: string

  @Field(() => ID, { description: 'The ID of the session.' })
  sessionId: string

  @Field(() => String, { description: 'The author of the message: `user` or `assistant`.' })
  role: string

  @Field(() => String, { description: 'The text of the message.' })
  content: string

  @Field(() => MessageStatusEnum, {
    description: 'The outcome of the turn the message belongs to.',
  })
  status: MessageStatus

  @Field(() => String, {
    description:
      'Why the turn ended: `stop` (the answer is complete), `guardrail`, `approval-required`, ' +
      '`tool-limit`, `kill-switch` or `consent-withdrawn`.',
  })
  finishReason: string

  @Field(() => [AssistCitation], {
    description:
      'The tool calls that were executed for the answer; empty unless the assistant answered.',
  })
  citations: readonly AssistCitation[]

  @Field(() => [AssistToolUse], {
    description: 'The tools the assistant used or wants to use in the turn.',
  })
  toolCalls: readonly AssistToolUse[]

  @Field(() => [GuardrailVerdict], { description: 'The verdicts of guardrails in the turn.' })
  guardrails: readonly GuardrailVerdict[]

  @Field(() => AssistUsage, { description: 'The model tokens that the turn used, and their cost.' })
  usage: AssistUsage

  @Field(() => AssistModel, { description: 'The model that answered.' })
  model: AssistModel

  @Field(() => Int, {
    description: 'The position of the message among the messages of the session, starting at 1.',
  })
  transcriptSequence: number

  @Field(() => DateTimeScalar, { description: 'When the message was recorded.' })
  createdAt: Date
}

export const AssistMessageConnection = connectionOf('AssistMessage', () => AssistMessage)

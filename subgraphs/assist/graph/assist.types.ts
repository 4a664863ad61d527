import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, JsonObjectScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import { messageStatuses, type MessageStatus } from '../domain/message.ts'
import { sessionStatuses, type SessionStatus } from '../domain/session.ts'
import type { ToolCallState } from '../domain/tool-call.ts'
import type { ToolClass } from '../domain/tool.ts'
import { ToolCallStateEnum, ToolClassEnum } from './tool-call.types.ts'

const SessionStatusEnum = wireEnum(
  'AssistSessionStatus',
  sessionStatuses,
  'Where a session stands.',
)
const MessageStatusEnum = wireEnum('AssistMessageStatus', messageStatuses, 'What became of a turn.')
@ObjectType({ description: 'What answers in a session.' })
export class AssistModel {
  @Field(() => String)
  alias: string

  @Field(() => String)
  provider: string

  @Field(() => String)
  name: string
}

@ObjectType({ description: 'A tool that an assistant may use.' })
export class AssistTool {
  @Field(() => String)
  name: string

  @Field(() => ToolClassEnum)
  toolClass: ToolClass

  @Field(() => String)
  description: string
}

@ObjectType({ description: 'How much a session may use.' })
export class AssistLimits {
  @Field(() => Int)
  maxMessages: number

  @Field(() => Int)
  maxTokens: number

  @Field(() => Int, { description: 'In millionths of the currency the model is priced in.' })
  maxCostMicros: number
}

@ObjectType({ description: 'What a session has used.' })
export class AssistUsage {
  @Field(() => Int)
  inputTokens: number

  @Field(() => Int)
  outputTokens: number

  @Field(() => Int, { description: 'In millionths of the currency the model is priced in.' })
  costMicros: number
}

@ObjectType({ description: 'A conversation with an assistant, under the rights of who opened it.' })
@Directive('@key(fields: "sessionId")')
export class AssistSession {
  @Field(() => ID)
  sessionId: string

  @Field(() => LabelScalar)
  assistantType: string

  @Field(() => ID, {
    nullable: true,
    description: 'The version it goes by to its end; null for a type nobody set up.',
  })
  assistantVersionId: string | null

  @Field(() => SessionStatusEnum)
  status: SessionStatus

  @Field(() => String, { nullable: true, description: 'What it is about: `facility/fac_1`.' })
  subject: string | null

  @Field(() => LabelScalar, { nullable: true })
  channel: string | null

  @Field(() => LabelScalar)
  locale: string

  @Field(() => TextScalar, { nullable: true })
  purpose: string | null

  @Field(() => String)
  policyVersion: string

  @Field(() => String, { description: 'SHA-256 of everything the policy allows and says.' })
  policyHash: string

  @Field(() => String, { nullable: true, description: 'Why it ended.' })
  endReason: string | null

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When it ends if nothing is said.' })
  expiresAt: Date
}

@ObjectType({ description: 'Where a figure of an answer comes from.' })
export class AssistCitation {
  @Field(() => ID)
  toolCallId: string

  @Field(() => String)
  source: string
}

@ObjectType({ description: 'A rule that stopped or flagged something.' })
export class GuardrailVerdict {
  @Field(() => String)
  policyId: string

  @Field(() => String)
  version: string

  @Field(() => String, { description: 'input, retrieval or output.' })
  stage: string

  @Field(() => String, { description: 'blocked or flagged.' })
  action: string
}

@ObjectType({ description: 'A tool that was used, or is to be used, in a turn.' })
export class AssistToolUse {
  @Field(() => ID)
  toolCallId: string

  @Field(() => String)
  name: string

  @Field(() => ToolCallStateEnum, { description: 'When the message was written.' })
  status: ToolCallState

  @Field(() => Boolean)
  requiresApproval: boolean
}

@ObjectType({ description: 'One thing that was said.' })
@Directive('@key(fields: "messageId", resolvable: false)')
export class AssistMessage {
  @Field(() => ID)
  messageId: string

  @Field(() => ID)
  sessionId: string

  @Field(() => String, { description: 'user or assistant.' })
  role: string

  @Field(() => String)
  content: string

  @Field(() => MessageStatusEnum)
  status: MessageStatus

  @Field(() => String, {
    description:
      'stop, guardrail, approval-required, tool-limit, kill-switch or consent-withdrawn.',
  })
  finishReason: string

  @Field(() => [AssistCitation])
  citations: readonly AssistCitation[]

  @Field(() => [AssistToolUse])
  toolCalls: readonly AssistToolUse[]

  @Field(() => [GuardrailVerdict])
  guardrails: readonly GuardrailVerdict[]

  @Field(() => AssistUsage)
  usage: AssistUsage

  @Field(() => AssistModel)
  model: AssistModel

  @Field(() => Int, { description: 'Counted from 1 within the session.' })
  transcriptSequence: number

  @Field(() => DateTimeScalar)
  createdAt: Date
}

export const AssistMessageConnection = connectionOf('AssistMessage', () => AssistMessage)

@ObjectType({
  description: 'One step of a session in masked words, hashed with the step before it.',
})
export class TranscriptLine {
  @Field(() => Int)
  sequence: number

  @Field(() => String)
  kind: string

  @Field(() => DateTimeScalar)
  at: Date

  @Field(() => JsonObjectScalar)
  body: object

  @Field(() => String)
  hash: string
}

@ObjectType({ description: 'Whether a transcript is as it was written.' })
export class TranscriptVerification {
  @Field(() => Boolean)
  isWhole: boolean

  @Field(() => Int)
  lines: number

  @Field(() => Int, {
    nullable: true,
    description: 'The first line that is not as it was written.',
  })
  firstBadLine: number | null
}

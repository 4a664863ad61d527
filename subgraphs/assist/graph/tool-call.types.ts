import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, JsonObjectScalar, TextScalar } from '../../_kernel/scalars.ts'
import { toolCallStates, type ToolCallState } from '../domain/tool-call.ts'
import { toolClasses, type ToolClass } from '../domain/tool.ts'

export const ToolCallStateEnum = wireEnum(
  'ToolCallState',
  toolCallStates,
  'Where a tool call stands.',
)
export const ToolClassEnum = wireEnum(
  'ToolClass',
  toolClasses,
  'What a tool needs before it is used.',
)

@ObjectType({ description: 'One use of a tool.' })
@Directive('@key(fields: "toolCallId")')
export class AssistToolCall {
  @Field(() => ID)
  toolCallId: string

  @Field(() => ID)
  sessionId: string

  @Field(() => String)
  name: string

  @Field(() => ToolClassEnum)
  toolClass: ToolClass

  @Field(() => ToolCallStateEnum)
  state: ToolCallState

  @Field(() => JsonObjectScalar)
  arguments: object

  @Field(() => String, { description: 'What an approval is for: SHA-256 of name and arguments.' })
  argumentsHash: string

  @Field(() => Boolean, { description: 'Text that anybody may have written was read before.' })
  isTainted: boolean

  @Field(() => JsonObjectScalar, { nullable: true })
  result: object | null

  @Field(() => DateTimeScalar)
  requestedAt: Date

  @Field(() => DateTimeScalar, { nullable: true, description: 'Until when it may be approved.' })
  expiresAt: Date | null

  @Field(() => String, { nullable: true })
  decidedBy: string | null

  @Field(() => DateTimeScalar, { nullable: true })
  decidedAt: Date | null

  @Field(() => TextScalar, { nullable: true })
  reason: string | null
}

@ObjectType({ description: 'What is switched off, or was.' })
export class AssistKillSwitch {
  @Field(() => String, { description: '`all`, `type:<type>`, `model:<alias>` or `tool:<name>`.' })
  scope: string

  @Field(() => Boolean, { description: 'On: what it names does not run.' })
  isOn: boolean

  @Field(() => TextScalar, { nullable: true })
  reason: string | null

  @Field(() => String)
  setBy: string

  @Field(() => DateTimeScalar)
  setAt: Date
}

@InputType()
export class ApproveToolCallInput {
  @Field(() => ID)
  toolCallId: string

  @Field(() => String, { description: 'That of the arguments that were looked at.' })
  argumentsHash: string

  @Field(() => TextScalar, { nullable: true })
  reason?: string | null
}

import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar, JsonObjectScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { toolCallStates, type ToolCallState } from '../domain/tool-call.ts'
import { toolClasses, type ToolClass } from '../domain/tool.ts'

export const ToolCallStateEnum = wireEnum(
  'ToolCallState',
  toolCallStates,
  'The state of a tool call.',
  {
    requested: 'The assistant requested the tool call.',
    'awaiting-approval': 'The tool call waits for the approval of another person.',
    approved: 'The tool call was approved and is about to be executed.',
    executed: 'The tool call was executed. This state is final.',
    failed: 'The tool call could not be executed. This state is final.',
    denied: 'The tool call was not permitted and was not executed. This state is final.',
    rejected: 'A person rejected the tool call. This state is final.',
    expired: 'The tool call was not approved in time. This state is final.',
  },
)
export const ToolClassEnum = wireEnum(
  'ToolClass',
  toolClasses,
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

@ObjectType({ description: 'A request by an assistant to execute a tool, with its result.' })
@Directive('@key(fields: "toolCallId")')
export class AssistToolCall {
  @Field(() => ID, { description: 'The ID of the tool call, such as `tcl_…`.' })
  toolCallId: string

  @Field(() => ID, { description: 'The ID of the session.' })
  sessionId: string

  @Field(() => String, { description: 'The name of the tool.' })
  name: string

  @Field(() => ToolClassEnum, {
    description: 'The class of the tool, which determines whether it needs approval.',
  })
  toolClass: ToolClass

  @Field(() => ToolCallStateEnum, { description: 'The state of the tool call.' })
  state: ToolCallState

  @Field(() => JsonObjectScalar, { description: 'The arguments of the tool call.' })
  arguments: object

  @Field(() => String, {
    description:
      'The SHA-256 hash of the tool name and the arguments, in hexadecimal. An approval refers ' +
      'to this hash.',
  })
  argumentsHash: string

  @Field(() => Boolean, {
    description:
      'Whether the assistant had read untrusted text, such as a document, earlier in the turn in ' +
      'which it requested the tool call.',
  })
  isTainted: boolean

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'The result of the tool call; null until there is one.',
  })
  result: object | null

  @Field(() => DateTimeScalar, { description: 'When the assistant requested the tool call.' })
  requestedAt: Date

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the approval request expires, 15 minutes after it was made; null if no approval was ' +
      'needed.',
  })
  expiresAt: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'The user or client who approved or rejected the tool call; null before that.',
  })
  decidedBy: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the tool call was approved or rejected; null before that.',
  })
  decidedAt: Date | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The reason given for the decision; null if none was given.',
  })
  reason: string | null
}

@ObjectType({ description: 'A switch that disables assistants, models or tools.' })
export class AssistKillSwitch {
  @Field(() => String, {
    description:
      'What the switch disables: everything (`all`), a type of assistant (`type:<type>`), a ' +
      'model (`model:<alias>`) or a tool (`tool:<name>`).',
  })
  scope: string

  @Field(() => Boolean, {
    description:
      'Whether the switch is active. An active switch disables everything in its `scope`.',
  })
  isOn: boolean

  @Field(() => TextScalar, {
    nullable: true,
    description: 'Why the switch was last changed; null if no reason was given.',
  })
  reason: string | null

  @Field(() => String, { description: 'The user or client who last changed the switch.' })
  setBy: string

  @Field(() => DateTimeScalar, { description: 'When the switch was last changed.' })
  setAt: Date
}

@InputType({ description: 'The approval of a tool call.' })
export class ApproveToolCallInput {
  @Field(() => ID, { description: 'The ID of the tool call to approve.' })
  toolCallId: string

  @Field(() => String, {
    description:
      'The `argumentsHash` of the arguments that were reviewed. The approval is rejected if the ' +
      'arguments have changed since.',
  })
  argumentsHash: string

  @Field(() => TextScalar, { nullable: true, description: 'The reason for the approval.' })
  reason?: string | null
}

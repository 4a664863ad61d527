import { Field, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { frameKinds, type FrameKind } from '../domain/frame.ts'
import { AssistToolUse, GuardrailVerdict } from './assist.types.ts'

const FrameKindEnum = wireEnum(
  'AssistFrameKind',
  frameKinds,
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

@ObjectType({
  description:
    'One step of a running turn. Steps are provisional; the message returned by ' +
    '`sendAssistMessage` is the result.',
})
export class AssistFrame {
  @Field(() => Int, { description: 'The number of the step within the turn, starting at 1.' })
  sequence: number

  @Field(() => FrameKindEnum, { description: 'What happened in the step.' })
  kind: FrameKind

  @Field(() => String, {
    nullable: true,
    description: 'The sentence, including the whitespace after it; null for other kinds of steps.',
  })
  text: string | null

  @Field(() => AssistToolUse, {
    nullable: true,
    description: 'The tool call; null for other kinds of steps.',
  })
  toolCall: AssistToolUse | null

  @Field(() => GuardrailVerdict, {
    nullable: true,
    description:
      'The verdict of the guardrail that flagged a tool result or blocked the turn; null for ' +
      'other kinds of steps.',
  })
  guardrail: GuardrailVerdict | null
}

@ObjectType({ description: 'The steps of a turn that follow the step `after`.' })
export class AssistTurn {
  @Field(() => [AssistFrame], { description: 'The steps, in order.' })
  frames: AssistFrame[]

  @Field(() => Boolean, {
    description: 'Whether the turn has ended, so that no further steps follow.',
  })
  isOver: boolean
}

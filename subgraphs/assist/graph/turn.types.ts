import { Field, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { frameKinds, type FrameKind } from '../domain/frame.ts'
import { AssistToolUse, GuardrailVerdict } from './assist.types.ts'

const FrameKindEnum = wireEnum(
  'AssistFrameKind',
  frameKinds,
  'What happened in a turn. BLOCKED and WITHDRAWN take back every SENTENCE before them.',
)

@ObjectType({ description: 'One step of a turn under way. What counts is the message at its end.' })
export class AssistFrame {
  @Field(() => Int, { description: 'Counted from 1 within the turn.' })
  sequence: number

  @Field(() => FrameKindEnum)
  kind: FrameKind

  @Field(() => String, { nullable: true, description: 'A sentence, with the space after it.' })
  text: string | null

  @Field(() => AssistToolUse, { nullable: true, description: 'The tool that was used.' })
  toolCall: AssistToolUse | null

  @Field(() => GuardrailVerdict, { nullable: true, description: 'The rule that was broken.' })
  guardrail: GuardrailVerdict | null
}

@ObjectType({ description: 'The steps of a turn so far, after the one that was named.' })
export class AssistTurn {
  @Field(() => [AssistFrame])
  frames: AssistFrame[]

  @Field(() => Boolean, { description: 'Nothing more will come.' })
  isOver: boolean
}

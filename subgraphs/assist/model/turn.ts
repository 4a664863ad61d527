import { ToolCallSummary, GuardrailVerdict } from './assist.ts'
import { FrameKind } from './enumerations.ts'
import {
  boolean,
  integer,
  list,
  object,
  oneOf,
  shape,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const AssistFrame = shape(
  'AssistFrame',
  'One step of a running turn. Steps are provisional; the message returned by ' +
    '`sendAssistMessage` is the result.',
  {
    sequence: integer('The number of the step within the turn, starting at 1.'),
    kind: oneOf(FrameKind, 'What happened in the step.'),
    text: string(
      'The sentence, including the whitespace after it; null for other kinds of steps.',
    ).orNull(),
    toolCall: object(ToolCallSummary, 'The tool call; null for other kinds of steps.').orNull(),
    guardrail: object(
      GuardrailVerdict,
      'The verdict of the guardrail that flagged a tool result or blocked the turn; null for ' +
        'other kinds of steps.',
    ).orNull(),
  },
)
export type AssistFrame = TypeOf<typeof AssistFrame>

export const AssistTurn = shape('AssistTurn', 'The steps of a turn that follow the step `after`.', {
  frames: list(object(AssistFrame), 'The steps, in order.'),
  isOver: boolean('Whether the turn has ended, so that no further steps follow.'),
})
export type AssistTurn = TypeOf<typeof AssistTurn>

import type { ToolCallSummary } from './message.ts'
import type { Verdict } from './guardrails.ts'

/**
 * The kinds of steps of a running turn. A `sentence` has passed the guardrails. `blocked` and
 * `withdrawn` void all earlier sentences, because the stored answer is different.
 */
export const frameKinds = [
  'begun',
  'tool',
  'guardrail',
  'sentence',
  'blocked',
  'withdrawn',
] as const
export type FrameKind = (typeof frameKinds)[number]

/** One step of a running turn. Steps are never stored; the result of a turn is its message. */
export interface Frame {
  /** The number of the step, starting at 1 for each turn. */
  sequence: number
  kind: FrameKind
  text: string | null
  toolCall: ToolCallSummary | null
  guardrail: Verdict | null
}

/** Publishes a step to the followers of the turn. */
export type EmitFrame = (
  kind: FrameKind,
  fields?: Partial<Omit<Frame, 'kind' | 'sequence'>>,
) => void

import type { ToolCallSummary } from '../model/assist.ts'
import type { FrameKind } from '../model/enumerations.ts'
import type { Verdict } from './guardrails.ts'

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

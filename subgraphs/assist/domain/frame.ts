import type { ToolCallSummary } from './message.ts'
import type { Verdict } from './rails.ts'

/**
 * The steps of a running turn. A `sentence` has passed the guardrails; `blocked` and `withdrawn`
 * void all earlier sentences, because the stored answer is different.
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

/** One step of a running turn. Never stored; the message is the result. */
export interface Frame {
  /** Starts at 1 within the turn. */
  sequence: number
  kind: FrameKind
  text: string | null
  toolCall: ToolCallSummary | null
  guardrail: Verdict | null
}

/** Publishes a step to the followers of the turn. */
export type Tell = (kind: FrameKind, more?: Partial<Omit<Frame, 'kind' | 'sequence'>>) => void

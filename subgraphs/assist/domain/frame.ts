import type { ToolCallSummary } from './message.ts'
import type { Verdict } from './rails.ts'

/**
 * What happens in a turn under way. `sentence` passed the rules; `blocked` and `withdrawn` take back
 * every sentence before them: the answer that is written is another.
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

/** One step of a turn, told while it is under way. Never stored: what counts is the message. */
export interface Frame {
  /** Counted from 1 within the turn. */
  sequence: number
  kind: FrameKind
  text: string | null
  toolCall: ToolCallSummary | null
  guardrail: Verdict | null
}

/** Tells a step to whoever follows the turn. */
export type Tell = (kind: FrameKind, more?: Partial<Omit<Frame, 'kind' | 'sequence'>>) => void

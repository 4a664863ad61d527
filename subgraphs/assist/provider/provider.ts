import type { Parameter } from '../domain/tool.ts'

/** What a model is given, masked. */
export type ProviderMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls: readonly WantedCall[] }
  | { role: 'tool'; toolCallId: string; name: string; content: string }

export interface WantedCall {
  id: string
  name: string
  args: Readonly<Record<string, unknown>>
}

export interface OfferedTool {
  name: string
  description: string
  parameters: Readonly<Record<string, Parameter>>
  required: readonly string[]
}

/** What a model said: words, tools it wants, or both. */
export interface Completion {
  content: string
  toolCalls: readonly WantedCall[]
  inputTokens: number
  outputTokens: number
}

/** A model behind one door. */
export interface Provider {
  alias: string
  name: string
  model: string
  /** What it is asked leaves the bank. */
  isOutside: boolean
  /** In millionths for a thousand tokens. */
  costMicrosPerThousand: number
  /** Throws when there is no answer, or `signal` aborts. `onText` hears the content in pieces as they come. */
  complete(
    messages: readonly ProviderMessage[],
    tools: readonly OfferedTool[],
    signal: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<Completion>
}

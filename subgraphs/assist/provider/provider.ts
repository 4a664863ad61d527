import type { Parameter } from '../domain/tool.ts'

/** A message to a model, with personal data masked. */
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

/** The completion of a model: text, tool calls or both. */
export interface Completion {
  content: string
  toolCalls: readonly WantedCall[]
  inputTokens: number
  outputTokens: number
}

/** A model provider. */
export interface Provider {
  alias: string
  name: string
  model: string
  /** Whether prompts are sent to a model outside the bank. */
  isOutside: boolean
  /** The price per thousand tokens, in millionths of the currency unit. */
  costMicrosPerThousand: number
  /**
   * Returns the response of the model. `onText` receives the content as it is generated. Throws if
   * the model does not respond. If `signal` aborts, it throws or returns a partial response.
   */
  complete(
    messages: readonly ProviderMessage[],
    tools: readonly OfferedTool[],
    signal: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<Completion>
}

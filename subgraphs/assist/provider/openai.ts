import type OpenAI from 'openai'
import type { AssistModelConfig } from '../../../kernel/environment/provider-config.ts'
import type { Completion, OfferedTool, Provider, ProviderMessage, WantedCall } from './provider.ts'

const timeoutMs = 60_000
const maxOutputTokens = 2000

/**
 * Creates a provider for an endpoint that is compatible with OpenAI's chat completions API.
 * Responses are streamed, so that a running response can be aborted.
 */
export function openAiProvider({ baseUrl, apiKey, model }: AssistModelConfig): Provider {
  // Self-hosted endpoints often need no key, but the library requires one.
  const key = apiKey || 'none'
  const options = { baseURL: baseUrl, apiKey: key, maxRetries: 2, timeout: timeoutMs }
  let client: OpenAI | undefined
  // A program without a model does not load the library.
  const load = async () => (client ??= new (await import('openai')).default(options))
  return {
    alias: 'configured',
    name: new URL(baseUrl).host,
    model,
    isOutside: true,
    costMicrosPerThousand: 1000,
    async complete(messages, tools, signal, onText) {
      const { chat } = await load()
      const stream = await chat.completions.create(
        {
          model,
          messages: messages.map(wireMessage),
          ...(tools.length > 0 && { tools: tools.map(wireTool) }),
          max_completion_tokens: maxOutputTokens,
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal },
      )
      return collect(stream, onText)
    },
  }
}

async function collect(
  stream: AsyncIterable<OpenAI.Chat.Completions.ChatCompletionChunk>,
  onText: (piece: string) => void,
): Promise<Completion> {
  let content = ''
  let [inputTokens, outputTokens] = [0, 0]
  const calls: { id: string; name: string; args: string }[] = []
  for await (const { choices, usage } of stream) {
    inputTokens = usage?.prompt_tokens ?? inputTokens
    outputTokens = usage?.completion_tokens ?? outputTokens
    const delta = choices[0]?.delta
    const piece = delta?.content ?? ''
    content += piece
    if (piece) onText(piece)
    for (const { index, id, function: functionCall } of delta?.tool_calls ?? []) {
      const call = (calls[index] ??= { id: '', name: '', args: '' })
      call.id += id ?? ''
      call.name += functionCall?.name ?? ''
      call.args += functionCall?.arguments ?? ''
    }
  }
  return { content, toolCalls: calls.filter(Boolean).map(parseCall), inputTokens, outputTokens }
}

/**
 * Parses the arguments of a tool call. If they are not a JSON object, the raw text is passed as
 * `arguments`, which fails the validation of the tool.
 */
function parseCall({ id, name, args }: { id: string; name: string; args: string }): WantedCall {
  try {
    const value: unknown = JSON.parse(args || '{}')
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return { id, name, args: isObject ? (value as WantedCall['args']) : { arguments: args } }
  } catch {
    return { id, name, args: { arguments: args } }
  }
}

function wireMessage(message: ProviderMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, args }) => ({
            id,
            type: 'function' as const,
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
      }
    default:
      return { role: message.role, content: message.content }
  }
}

function wireTool(tool: OfferedTool): OpenAI.Chat.Completions.ChatCompletionTool {
  const { name, description, parameters, required } = tool
  const schema = { type: 'object', properties: parameters, required, additionalProperties: false }
  return { type: 'function', function: { name, description, parameters: schema } }
}

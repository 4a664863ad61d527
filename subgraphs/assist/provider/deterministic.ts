import type { Completion, OfferedTool, Provider, ProviderMessage } from './provider.ts'
import { phrase } from './phrases.ts'

/**
 * Answers a small set of questions without a model: it recognises what is asked for, uses the same
 * tools as a model would, and says what they returned. It does not pretend to be more.
 */
export const deterministicProvider: Provider = {
  alias: 'deterministic',
  name: 'bankgraph',
  model: 'intents-2026.1',
  isOutside: false,
  costMicrosPerThousand: 0,
  complete(messages, tools, _signal, onText) {
    const completion = answer(messages, tools)
    onText(completion.content)
    return Promise.resolve(completion)
  },
}

interface Intent {
  tool: string
  pattern: RegExp
  args(text: string): Record<string, unknown>
}

const id = (prefix: string) => new RegExp(`\\b${prefix}_[A-Za-z0-9._:~-]*[A-Za-z0-9]`, 'g')
const first = (text: string, prefix: string) => text.match(id(prefix))?.[0]
const amountIn = (text: string) => /\b(\d{1,15}(?:\.\d{1,4})?)\b(?![-\w])/.exec(text)?.[1]

// In this order: the more a question asks for, the earlier it is tried.
const intents: readonly Intent[] = [
  {
    tool: 'transfer',
    pattern: /\b(?:transfer|move|send|pay)\b/i,
    args(text) {
      const [debtorArrangementId, creditorArrangementId] = text.match(id('arr')) ?? []
      const currency = /\b[A-Z]{3}\b/.exec(text)?.[0] ?? 'EUR'
      return { debtorArrangementId, creditorArrangementId, amount: amountIn(text), currency }
    },
  },
  {
    tool: 'preview_drawdown',
    pattern: /\b(?:draw|drawdown)\b/i,
    args: (text) => ({
      facilityId: first(text, '(?:fac|loan)'),
      amount: amountIn(text.replaceAll(id('(?:fac|loan)'), '')),
    }),
  },
  {
    tool: 'get_loan',
    pattern: /\b(?:instalment|installment|loan|owe|payoff|pay off)\b/i,
    args: (text) => ({ loanId: first(text, '(?:loan|fac)') }),
  },
  {
    tool: 'list_entries',
    pattern: /\b(?:entries|transactions|movements|history|statement|last payments)\b/i,
    args: (text) => ({ arrangementId: first(text, 'arr') }),
  },
  {
    tool: 'read_document',
    pattern: /\bdocument\b/i,
    args: (text) => ({ documentId: first(text, 'doc') }),
  },
  { tool: 'get_case', pattern: /\bcase\b/i, args: (text) => ({ caseId: first(text, 'case') }) },
  {
    tool: 'get_balance',
    pattern: /\b(?:balance|how much|available)\b/i,
    args: (text) => ({ arrangementId: first(text, 'arr') }),
  },
  { tool: 'list_accounts', pattern: /\b(?:accounts?|balances?|how much)\b/i, args: () => ({}) },
]

function answer(messages: readonly ProviderMessage[], tools: readonly OfferedTool[]): Completion {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(asked).filter((message) => message.role === 'tool')
  if (results.length > 0) {
    return said(results.map(({ name, content }) => phrase(name, content)).join('\n'))
  }
  const text = messages[asked]?.content ?? ''
  const offered = intents.filter(({ tool }) => tools.some(({ name }) => name === tool))
  const intent = offered.find(({ tool, pattern, args }) => {
    const { required } = tools.find(({ name }) => name === tool)!
    const given = args(text)
    return pattern.test(text) && required.every((name) => given[name] !== undefined)
  })
  if (intent) {
    const args = Object.fromEntries(
      Object.entries(intent.args(text)).filter(([, value]) => value !== undefined),
    )
    const toolCalls = [{ id: `call_${messages.length}`, name: intent.tool, args }]
    return { content: '', toolCalls, inputTokens: tokensOf(text), outputTokens: 1 }
  }
  return said(helpOf(offered))
}

function helpOf(offered: readonly Intent[]): string {
  if (offered.length === 0) return 'I have no tools here, so I can look nothing up.'
  return (
    'I am a simple assistant without a language model. Ask me about a balance, the latest entries ' +
    'or a loan, and name it by its id, such as the balance of an account.'
  )
}

function said(content: string): Completion {
  return { content, toolCalls: [], inputTokens: 1, outputTokens: tokensOf(content) }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4)
}

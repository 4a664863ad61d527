import type { Completion, OfferedTool, Provider, ProviderMessage } from './provider.ts'
import { phrase } from './phrases.ts'

/**
 * A deterministic provider without a language model: it recognizes a small set of intents, uses the
 * same tools as a model and phrases their results.
 */
export const deterministicProvider: Provider = {
  alias: 'deterministic',
  name: 'bankgraph',
  model: 'intents-2026.2',
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
  /** Matches if the user requests the action and does not only mention it. */
  isAct?: true
  args(text: string): Record<string, unknown>
}

const id = (prefix: string) => new RegExp(`\\b${prefix}_[A-Za-z0-9._:~-]*[A-Za-z0-9]`, 'g')
const first = (text: string, prefix: string) => text.match(id(prefix))?.[0]
const dates = /\b\d{4}-\d{2}-\d{2}\b/g
/** A number that is not part of an id or date and is not a count. */
const amountIn = (text: string) =>
  /\b(\d{1,15}(?:\.\d{1,4})?)\b(?![-\w])(?! (?:instalment|installment|month))/.exec(
    text.replaceAll(id('[a-z]+'), '').replaceAll(dates, ''),
  )?.[1]
const isSupposed = /\b(?:what if|what would|would|could|preview)\b/i
const counted = /\b(\d{1,2}) (?:instalment|installment|month)/i

const extra = /\bextra\b|\boverpay/i
const pause = /\bholiday\b|\bpause\b|\bskip\b/i

function extraPaymentIn(text: string) {
  return { facilityId: first(text, '(?:fac|loan)'), amount: amountIn(text) }
}

function holidayIn(text: string) {
  const instalments = counted.exec(text)?.[1]
  return {
    facilityId: first(text, '(?:fac|loan)'),
    startDate: text.match(dates)?.[0],
    instalments: instalments ? Number(instalments) : undefined,
  }
}

// Ordered from the most specific intent to the most general.
const intents: readonly Intent[] = [
  {
    tool: 'make_extra_payment',
    pattern: extra,
    isAct: true,
    args: (text) => ({ ...extraPaymentIn(text), sourceArrangementId: first(text, 'arr') }),
  },
  { tool: 'preview_extra_payment', pattern: extra, args: extraPaymentIn },
  { tool: 'request_payment_holiday', pattern: pause, isAct: true, args: holidayIn },
  { tool: 'preview_payment_holiday', pattern: pause, args: holidayIn },
  {
    tool: 'get_application',
    pattern: /\bapplication\b/i,
    args: (text) => ({ applicationId: first(text, 'app') }),
  },
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
      amount: amountIn(text),
    }),
  },
  {
    tool: 'get_payoff',
    pattern: /\b(?:payoff|pay\b.*\boff|paid off|settle)\b/i,
    args: (text) => ({ loanId: first(text, '(?:loan|fac)') }),
  },
  {
    tool: 'get_loan',
    pattern: /\b(?:instalment|installment|loan|owe)\b/i,
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
  const intent = offered.find(({ tool, pattern, isAct, args }) => {
    if (isAct && isSupposed.test(text)) return false
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
    'I am a simple assistant without a language model. Ask me about a balance, the latest entries, ' +
    'a loan, its payoff, an extra payment, a payment holiday or an application, and name it by its id.'
  )
}

function said(content: string): Completion {
  return { content, toolCalls: [], inputTokens: 1, outputTokens: tokensOf(content) }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4)
}

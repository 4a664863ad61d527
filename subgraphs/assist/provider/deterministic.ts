import type { Completion, OfferedTool, Provider, ProviderMessage } from './provider.ts'
import { phrase } from './phrases.ts'

/**
 * A deterministic provider without a language model. It recognizes a small set of intents, requests
 * the same tools as a model and puts their results into sentences.
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
  /** Set if the intent changes something. Such an intent matches no hypothetical questions. */
  isAct?: true
  args(text: string): Record<string, unknown>
}

const idPattern = (prefix: string) => new RegExp(`\\b${prefix}_[A-Za-z0-9._:~-]*[A-Za-z0-9]`, 'g')
const firstId = (text: string, prefix: string) => text.match(idPattern(prefix))?.[0]
const datePattern = /\b\d{4}-\d{2}-\d{2}\b/g
/** Returns the first number that is not part of an ID or date and does not count installments. */
const amountIn = (text: string) =>
  /\b(\d{1,15}(?:\.\d{1,4})?)\b(?![-\w])(?! (?:instal{1,2}ment|month))/.exec(
    text.replaceAll(idPattern('[a-z]+'), '').replaceAll(datePattern, ''),
  )?.[1]
const hypotheticalPattern = /\b(?:what if|what would|would|could|preview)\b/i
const installmentCountPattern = /\b(\d{1,2}) (?:instal{1,2}ment|month)/i

const extraPaymentPattern = /\bextra\b|\boverpay/i
const holidayPattern = /\bholiday\b|\bpause\b|\bskip\b/i

function extraPaymentIn(text: string) {
  return { facilityId: firstId(text, '(?:fac|loan)'), amount: amountIn(text) }
}

function holidayIn(text: string) {
  const installments = installmentCountPattern.exec(text)?.[1]
  return {
    facilityId: firstId(text, '(?:fac|loan)'),
    startDate: text.match(datePattern)?.[0],
    installments: installments ? Number(installments) : undefined,
  }
}

// Ordered from the most specific intent to the most general.
const intents: readonly Intent[] = [
  {
    tool: 'make_extra_payment',
    pattern: extraPaymentPattern,
    isAct: true,
    args: (text) => ({ ...extraPaymentIn(text), sourceArrangementId: firstId(text, 'arr') }),
  },
  { tool: 'preview_extra_payment', pattern: extraPaymentPattern, args: extraPaymentIn },
  { tool: 'request_payment_holiday', pattern: holidayPattern, isAct: true, args: holidayIn },
  { tool: 'preview_payment_holiday', pattern: holidayPattern, args: holidayIn },
  {
    tool: 'get_application',
    pattern: /\bapplication\b/i,
    args: (text) => ({ applicationId: firstId(text, 'app') }),
  },
  {
    tool: 'transfer',
    pattern: /\b(?:transfer|move|send|pay)\b/i,
    args(text) {
      const [debtorArrangementId, creditorArrangementId] = text.match(idPattern('arr')) ?? []
      const currency = /\b[A-Z]{3}\b/.exec(text)?.[0] ?? 'EUR'
      return { debtorArrangementId, creditorArrangementId, amount: amountIn(text), currency }
    },
  },
  {
    tool: 'preview_drawdown',
    pattern: /\b(?:draw|drawdown)\b/i,
    args: (text) => ({
      facilityId: firstId(text, '(?:fac|loan)'),
      amount: amountIn(text),
    }),
  },
  {
    tool: 'get_payoff',
    pattern: /\b(?:payoff|pay\b.*\boff|paid off|settle)\b/i,
    args: (text) => ({ loanId: firstId(text, '(?:loan|fac)') }),
  },
  {
    tool: 'get_loan',
    pattern: /\b(?:instal{1,2}ment|loan|owe)\b/i,
    args: (text) => ({ loanId: firstId(text, '(?:loan|fac)') }),
  },
  {
    tool: 'list_entries',
    pattern: /\b(?:entries|transactions|movements|history|statement|last payments)\b/i,
    args: (text) => ({ arrangementId: firstId(text, 'arr') }),
  },
  {
    tool: 'read_document',
    pattern: /\bdocument\b/i,
    args: (text) => ({ documentId: firstId(text, 'doc') }),
  },
  { tool: 'get_case', pattern: /\bcase\b/i, args: (text) => ({ caseId: firstId(text, 'case') }) },
  {
    tool: 'get_balance',
    pattern: /\b(?:balance|how much|available)\b/i,
    args: (text) => ({ arrangementId: firstId(text, 'arr') }),
  },
  { tool: 'list_accounts', pattern: /\b(?:accounts?|balances?|how much)\b/i, args: () => ({}) },
]

function answer(messages: readonly ProviderMessage[], tools: readonly OfferedTool[]): Completion {
  const questionIndex = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(questionIndex).filter((message) => message.role === 'tool')
  if (results.length > 0) {
    return textCompletion(results.map(({ name, content }) => phrase(name, content)).join('\n'))
  }
  const text = messages[questionIndex]?.content ?? ''
  const offeredIntents = intents.filter(({ tool }) => tools.some(({ name }) => name === tool))
  const intent = offeredIntents.find(({ tool, pattern, isAct, args }) => {
    if (isAct && hypotheticalPattern.test(text)) return false
    const { required } = tools.find(({ name }) => name === tool)!
    const parsedArgs = args(text)
    return pattern.test(text) && required.every((name) => parsedArgs[name] !== undefined)
  })
  if (intent) {
    const args = Object.fromEntries(
      Object.entries(intent.args(text)).filter(([, value]) => value !== undefined),
    )
    const toolCalls = [{ id: `call_${messages.length}`, name: intent.tool, args }]
    return { content: '', toolCalls, inputTokens: tokensOf(text), outputTokens: 1 }
  }
  return textCompletion(helpOf(offeredIntents))
}

function helpOf(offeredIntents: readonly Intent[]): string {
  if (offeredIntents.length === 0) return 'I have no tools here, so I can look nothing up.'
  return (
    'I am a simple assistant without a language model. Ask me about a balance, the latest entries, ' +
    'a loan, its payoff, an extra payment, a payment holiday or an application, and name it by its id.'
  )
}

function textCompletion(content: string): Completion {
  return { content, toolCalls: [], inputTokens: 1, outputTokens: tokensOf(content) }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4)
}

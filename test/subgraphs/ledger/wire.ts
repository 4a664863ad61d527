import { formatAmount } from '../../../subgraphs/_kernel/domain/money.ts'
import type { Asked } from './reference.ts'

/** The amount and the currency as they are sent. */
const money = (amount: number, currency: string) => ({
  amount: formatAmount(BigInt(amount), currency),
  currency,
})

/** An instruction in the words of the graph. */
export function wire(asked: Asked, prefix: string): Record<string, unknown> {
  const terms = asked.advice ? { advice: true } : {}
  switch (asked.does) {
    case 'in':
    case 'out': {
      const type = `${asked.does.toUpperCase()}BOUND_HARD_SETTLEMENT`
      const amount = money(asked.amount, asked.currency)
      return { ...terms, type, arrangementId: prefix + asked.account, amount }
    }
    case 'authorise':
      return {
        ...terms,
        type: asked.isOut ? 'OUTBOUND_AUTHORISATION' : 'INBOUND_AUTHORISATION',
        arrangementId: prefix + asked.account,
        amount: money(asked.amount, asked.currency),
        clientTransactionId: prefix + asked.chain,
        ...(asked.expiresAt !== null && { expiresAt: new Date(asked.expiresAt).toISOString() }),
      }
    case 'adjust':
    case 'settle':
    case 'release': {
      const type = { adjust: 'AUTHORISATION_ADJUSTMENT', settle: 'SETTLEMENT', release: 'RELEASE' }
      const hasAmount = 'amount' in asked && asked.amount !== null
      return {
        ...terms,
        type: type[asked.does],
        clientTransactionId: prefix + asked.chain,
        ...(hasAmount && { amount: money(asked.amount!, asked.currency) }),
        ...(asked.does === 'settle' && { final: asked.isFinal }),
      }
    }
    case 'transfer':
      return {
        ...terms,
        debtorArrangementId: prefix + asked.from,
        creditorArrangementId: prefix + asked.to,
        amount: money(asked.amount, asked.currency),
        ...(asked.arrives && {
          creditorAmount: money(asked.arrives.amount, asked.arrives.currency),
          fxOverrideReason: 'Random amounts.',
        }),
      }
    case 'custom':
      return { ...terms, type: 'CUSTOM', entries: entriesOf(asked.lines, prefix) }
    case 'reverse':
      return { ...terms, type: 'REVERSAL', reversesId: asked.posting }
  }
}

/** The lines, and on the bank's own accounts what balances them in each currency. */
function entriesOf(lines: Extract<Asked, { does: 'custom' }>['lines'], prefix: string) {
  const entry = (account: string, amount: number, currency: string) => ({
    account,
    side: amount < 0 ? 'DEBIT' : 'CREDIT',
    amount: money(Math.abs(amount), currency),
  })
  const sums = new Map<string, number>()
  for (const { amount, currency } of lines) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  return [
    ...lines.map(({ account, amount, currency }) => entry(prefix + account, amount, currency)),
    ...[...sums].flatMap(([currency, sum]) =>
      sum === 0 ? [] : entry(`suspense/${currency}`, -sum, currency),
    ),
  ]
}

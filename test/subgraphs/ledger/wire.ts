import { formatAmount } from '../../../kernel/domain/money.ts'
import type { LedgerRequest } from './reference.ts'

/** The money input for an amount in minor units. */
const money = (amount: number, currency: string) => ({
  amount: formatAmount(BigInt(amount), currency),
  currency,
})

/** An instruction as GraphQL input. */
export function wire(request: LedgerRequest, prefix: string): Record<string, unknown> {
  const terms = request.advice ? { advice: true } : {}
  switch (request.does) {
    case 'in':
    case 'out': {
      const type = `${request.does.toUpperCase()}BOUND_HARD_SETTLEMENT`
      const amount = money(request.amount, request.currency)
      return { ...terms, type, arrangementId: prefix + request.account, amount }
    }
    case 'authorize':
      return {
        ...terms,
        type: request.isOut ? 'OUTBOUND_AUTHORIZATION' : 'INBOUND_AUTHORIZATION',
        arrangementId: prefix + request.account,
        amount: money(request.amount, request.currency),
        clientTransactionId: prefix + request.chain,
        ...(request.expiresAt !== null && { expiresAt: new Date(request.expiresAt).toISOString() }),
      }
    case 'adjust':
    case 'settle':
    case 'release': {
      const type = { adjust: 'AUTHORIZATION_ADJUSTMENT', settle: 'SETTLEMENT', release: 'RELEASE' }
      const hasAmount = 'amount' in request && request.amount !== null
      return {
        ...terms,
        type: type[request.does],
        clientTransactionId: prefix + request.chain,
        ...(hasAmount && { amount: money(request.amount!, request.currency) }),
        ...(request.does === 'settle' && { final: request.isFinal }),
      }
    }
    case 'transfer':
      return {
        ...terms,
        debtorArrangementId: prefix + request.from,
        creditorArrangementId: prefix + request.to,
        amount: money(request.amount, request.currency),
        ...(request.arrives && {
          creditorAmount: money(request.arrives.amount, request.arrives.currency),
          fxOverrideReason: 'Random amounts.',
        }),
      }
    case 'custom':
      return { ...terms, type: 'CUSTOM', entries: entriesOf(request.lines, prefix) }
    case 'reverse':
      return { ...terms, type: 'REVERSAL', reversesId: request.posting }
  }
}

/** The lines, and entries on internal accounts that balance them in each currency. */
function entriesOf(lines: Extract<LedgerRequest, { does: 'custom' }>['lines'], prefix: string) {
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

import { bookedLeg, type Attribution, type Leg } from '../../../ledger/domain/balance.ts'
import type { StoredLine } from '../model/journal-entry.ts'
import { legsOf } from './journal-entry.ts'

/** The part of the balance of a ledger account that belongs to a product or a segment; a debit is positive. */
export interface AttributedBalance extends Attribution {
  ledgerAccountId: string
  currency: string
  balanceMinor: bigint
}

/**
 * Returns the legs that transfer the result of a year: the lines, divided by products and segments, so that
 * the result of each is transferred. What belongs to none has a leg of its own. `equityAccountOf` returns the
 * ledger account of retained earnings in a currency.
 */
export function yearEndLegs(
  lines: readonly StoredLine[],
  balances: readonly AttributedBalance[],
  equityAccountOf: (currency: string) => string,
): Leg[] {
  const currencies = [...new Set(lines.map(({ currency }) => currency))]
  return currencies.flatMap((currency) => {
    const own = lines.filter((line) => line.currency === currency)
    const equityId = equityAccountOf(currency)
    const equity = own.find(({ ledgerAccountId }) => ledgerAccountId === equityId)
    // A result of zero in all has no line of retained earnings to divide.
    if (!equity) return legsOf(own)
    const results = own.filter((line) => line !== equity)
    const parts = balances.filter(
      (each) =>
        each.currency === currency &&
        results.some(({ ledgerAccountId }) => ledgerAccountId === each.ledgerAccountId),
    )
    return [
      ...results.flatMap((line) =>
        divide(
          line,
          parts
            .filter(({ ledgerAccountId }) => ledgerAccountId === line.ledgerAccountId)
            .map((part) => ({ ...part, balanceMinor: -part.balanceMinor })),
        ),
      ),
      ...divide(equity, parts),
    ]
  })
}

/** Divides a line into a leg for each product and segment, and one for the rest. */
function divide(line: StoredLine, parts: readonly AttributedBalance[]): Leg[] {
  const { ledgerAccountId, currency } = line
  const byKey = new Map<string, { attribution: Attribution; debitMinor: bigint }>()
  for (const { productId, segment, balanceMinor } of parts) {
    const key = JSON.stringify([productId, segment])
    const debitMinor = (byKey.get(key)?.debitMinor ?? 0n) + balanceMinor
    byKey.set(key, { attribution: { productId, segment }, debitMinor })
  }
  const attributed = [...byKey.values()]
  const lineMinor = line.side === 'debit' ? line.amountMinor : -line.amountMinor
  const restMinor = attributed.reduce((rest, { debitMinor }) => rest - debitMinor, lineMinor)
  const legOf = (debitMinor: bigint): Leg[] => {
    if (debitMinor === 0n) return []
    const [side, amountMinor] =
      debitMinor > 0n ? (['debit', debitMinor] as const) : (['credit', -debitMinor] as const)
    return [bookedLeg(ledgerAccountId, side, amountMinor, currency)]
  }
  return [
    ...attributed.flatMap(({ attribution, debitMinor }) =>
      legOf(debitMinor).map((leg) => ({ ...leg, attribution })),
    ),
    ...legOf(restMinor),
  ]
}

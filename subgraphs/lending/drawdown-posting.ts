import { formatAmount } from '../_kernel/domain/money.ts'
import { internalAccountId } from '../_ledger/domain/account.ts'
import type { Posting } from '../_ledger/journal.ts'
import { narrated } from './change-facility.ts'
import { credit, debit, owe, postingOf, settlementAccountId } from './domain/accounts.ts'
import type { Drawdown } from './domain/drawdown.ts'
import type { Facility } from './domain/facility.ts'

/**
 * Principal is owed, and the money is on its destination, or on its way to others. Upfront fees are
 * deducted in the same posting, so that a reversal refunds them.
 */
export function postingOfDrawdown(drawdown: Drawdown, facility: Facility, now: Date): Posting {
  const { drawdownId, amountMinor, currency, valueDate, destinationArrangementId } = drawdown
  const destination = destinationArrangementId ?? settlementAccountId(currency)
  const { feeMinor } = drawdown
  const legs = [
    owe(facility, 'principal', amountMinor),
    credit(destination, amountMinor, currency),
    debit(destination, feeMinor, currency),
    credit(internalAccountId('fee-income', currency), feeMinor, currency),
  ]
  const instruction = postingOf(valueDate, now, drawdownId, legs)
  const posting = narrated(instruction, textOf(drawdown))
  const { destinationIban: iban, destinationName: name } = drawdown
  if (iban === null) return posting
  return { ...posting, narrative: { ...posting.narrative, counterparty: { iban, name } } }
}

function textOf({ drawdownId, feeMinor, currency }: Drawdown): string {
  if (feeMinor === 0n) return `Drawdown ${drawdownId}`
  return `Drawdown ${drawdownId}, upfront fees ${formatAmount(feeMinor, currency)} ${currency}`
}

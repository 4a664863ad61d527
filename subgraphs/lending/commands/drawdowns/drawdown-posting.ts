import { formatAmount } from '../../../../kernel/domain/money.ts'
import { internalAccountId } from '../../../../ledger/domain/account.ts'
import type { Posting } from '../../../../ledger/journal.ts'
import { withNarrative } from '../facilities/change-facility.ts'
import {
  credit,
  debit,
  debitLoan,
  postingOf,
  transitAccountId,
} from '../../domain/facilities/accounts.ts'
import type { Drawdown } from '../../domain/drawdowns/drawdown.ts'
import type { Facility } from '../../domain/facilities/facility.ts'

/**
 * Creates the posting of a drawdown. It debits the principal and credits the destination account,
 * or the account for money in transit if the destination is at another bank. Upfront fees are
 * deducted in the same posting, so that a reversal refunds them.
 */
export function postingOfDrawdown(drawdown: Drawdown, facility: Facility, now: Date): Posting {
  const { drawdownId, amountMinor, currency, valueDate, destinationArrangementId } = drawdown
  const destination = destinationArrangementId ?? transitAccountId(currency)
  const { feeMinor } = drawdown
  const legs = [
    debitLoan(facility, 'principal', amountMinor),
    credit(destination, amountMinor, currency),
    debit(destination, feeMinor, currency),
    credit(internalAccountId('fee-income', currency), feeMinor, currency),
  ]
  const instruction = postingOf(valueDate, now, drawdownId, legs)
  const posting = withNarrative(facility.facilityId, instruction, textOf(drawdown))
  const { destinationIban: iban, destinationName: name } = drawdown
  if (iban === null) return posting
  return { ...posting, narrative: { ...posting.narrative, counterparty: { iban, name } } }
}

function textOf({ feeMinor, currency }: Drawdown): string {
  if (feeMinor === 0n) return 'Drawdown'
  return `Drawdown, upfront fees ${formatAmount(feeMinor, currency)} ${currency}`
}

import type { Posting } from '../_ledger/journal.ts'
import { narrated } from './change-facility.ts'
import { credit, owe, postingOf, settlementAccountId } from './domain/accounts.ts'
import type { Drawdown } from './domain/drawdown.ts'
import type { Facility } from './domain/facility.ts'

/** Principal is owed, and the money is on its destination, or on its way to others. */
export function postingOfDrawdown(drawdown: Drawdown, facility: Facility, now: Date): Posting {
  const { drawdownId, amountMinor, currency, valueDate, destinationArrangementId } = drawdown
  const destination = destinationArrangementId ?? settlementAccountId(currency)
  const legs = [owe(facility, 'principal', amountMinor), credit(destination, amountMinor, currency)]
  const instruction = postingOf(valueDate, now, drawdownId, legs)
  const posting = narrated(instruction, `Drawdown ${drawdownId}`)
  const { destinationIban: iban, destinationName: name } = drawdown
  if (iban === null) return posting
  return { ...posting, narrative: { ...posting.narrative, counterparty: { iban, name } } }
}

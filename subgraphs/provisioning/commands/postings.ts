import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { attributePosting, readAttributions } from '../../../ledger/attribution.ts'
import { decideBooking, requireBooked, type BookingDecision } from '../../../ledger/book.ts'
import { internalAccountId, type ChartCode } from '../../../ledger/domain/account.ts'
import { bookedLeg, type Leg } from '../../../ledger/domain/balance.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { ledgerAccountOf } from '../domain/overdraft-id.ts'

type LegOf = (code: ChartCode, side: Leg['side'], amountMinor: bigint) => Leg

const legsIn =
  (currency: string): LegOf =>
  (code, side, amountMinor) =>
    bookedLeg(internalAccountId(code, currency), side, amountMinor, currency)

function posting(now: Date, text: string, provisionId: string, legs: readonly Leg[]): Posting {
  return {
    instruction: {
      ...termsAt(now),
      type: 'custom',
      legs: legs.filter(({ amountMinor }) => amountMinor !== 0n),
    },
    narrative: { ...noNarrative, remittanceInformation: text, metadata: { provisionId } },
  }
}

/**
 * Returns the posting of a change of a loss allowance. An increase debits the impairment expense and
 * credits the allowance; a decrease is the reverse.
 */
export function changePosting(
  now: Date,
  provisionId: string,
  changeMinor: bigint,
  currency: string,
): Posting {
  const leg = legsIn(currency)
  const isIncrease = changeMinor > 0n
  const amountMinor = isIncrease ? changeMinor : -changeMinor
  return posting(now, 'Change of the loss allowance', provisionId, [
    leg('impairment-expense', isIncrease ? 'debit' : 'credit', amountMinor),
    leg('loan-loss-allowance', isIncrease ? 'credit' : 'debit', amountMinor),
  ])
}

/**
 * Returns the posting that ends a loss allowance. The used part takes back the loss that the
 * charge-off booked, because it was provided for before. The released part reduces the impairment
 * expense.
 */
export function endPosting(
  now: Date,
  provisionId: string,
  { usedMinor, releasedMinor }: { usedMinor: bigint; releasedMinor: bigint },
  currency: string,
): Posting {
  const leg = legsIn(currency)
  return posting(now, 'Use or release of the loss allowance', provisionId, [
    leg('loan-loss-allowance', 'debit', usedMinor + releasedMinor),
    leg('loan-losses', 'credit', usedMinor),
    leg('impairment-expense', 'credit', releasedMinor),
  ])
}

/** A posting about the allowance of a facility, or of a segment if `facilityId` is null. */
export interface ProvisionPosting {
  facilityId: string | null
  posting: Posting
}

/**
 * Books postings as the bank, because only the bank can post to control accounts. The amounts belong to
 * the product of the facility and the segment of its customer.
 */
export async function bookAsBank(
  context: Context,
  postings: readonly ProvisionPosting[],
): Promise<Pick<BookingDecision, 'records' | 'writes' | 'events'>> {
  if (postings.length === 0) return { records: [], writes: [], events: [] }
  const accountIds = postings.flatMap(({ facilityId }) =>
    facilityId === null ? [] : ledgerAccountOf(facilityId),
  )
  const attributionOf = await readAttributions(context.bank, accountIds)
  const booked = await decideBooking(
    { ...context, caller: bankCaller },
    postings.map(({ facilityId, posting: each }) =>
      facilityId === null
        ? each
        : attributePosting(each, attributionOf(ledgerAccountOf(facilityId))),
    ),
  )
  requireBooked(booked)
  return booked
}

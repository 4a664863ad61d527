import type { Context } from '../../../kernel/environment/context.ts'
import { attributePosting, type AttributionOf } from '../../../ledger/attribution.ts'
import type { Posting } from '../../../ledger/journal.ts'
import type { Accrual } from '../domain/accrue.ts'
import type { InterestPosition } from '../domain/position.ts'
import type { Book } from './book.ts'
import type { AttributedAmount } from './postings.ts'
import { lastEndedDay } from './read-inputs.ts'
import { payoutPosting } from './term-ends.ts'

/** An account of a page, and what it accrued. */
export interface AccruedAccount {
  before: InterestPosition
  /** Whether a term deposit of the account was running. */
  hasTerm: boolean
  accrual: Accrual
}

/** Returns the term deposits that ended. */
export const termEndsOf = (accounts: readonly AccruedAccount[]) =>
  accounts.flatMap(({ accrual }) => accrual.termEnds)

/** A planned posting, and the record that it belongs to. */
export interface PlannedPosting {
  posting: Posting
  purpose: 'accrual' | 'correction' | 'payment' | 'payout'
  /** The account that pays; null for a posting that accrues interest. */
  payerId: string | null
  /**
   * The ID of the record of a payment or a correction, or of the term deposit that is paid out; null
   * for accrued interest of a page.
   */
  recordId: string | null
}

/** Returns the postings of a page, with what their amounts belong to, in the order of their records. */
export function planPostings(
  context: Context,
  book: Book,
  accounts: readonly AccruedAccount[],
  attributionOf: AttributionOf,
): PlannedPosting[] {
  const now = context.now()
  const corrections = accounts.flatMap(({ accrual }): PlannedPosting[] => {
    const { position, adjustment } = accrual
    if (!adjustment || adjustment.amountMinor === 0n) return []
    const recordId = context.newId('interestAdjustment')
    const posting = book.adjustmentPosting(
      now,
      position,
      recordId,
      adjustment,
      attributionOf(position.arrangementId),
    )
    return [{ posting, purpose: 'correction', payerId: null, recordId }]
  })
  const payments = accounts.flatMap(({ hasTerm, accrual: { position, capitalizations } }) =>
    capitalizations.map((payment): PlannedPosting => {
      const recordId = context.newId('interestCapitalization')
      const { arrangementId } = position
      // The interest can be paid into an account with another product.
      const paid = attributePosting(
        book.paymentPosting(now, position, recordId, payment),
        attributionOf(arrangementId),
      )
      // While a term deposit runs, the account is blocked for everything but advices.
      const posting = hasTerm ? asAdvice(paid) : paid
      return { posting, purpose: 'payment', payerId: arrangementId, recordId }
    }),
  )
  const payouts = termEndsOf(accounts).flatMap((end): PlannedPosting[] => {
    const paidOut = payoutPosting(now, end)
    const { arrangementId: payerId, termDepositId: recordId } = end.ended
    const posting = paidOut && attributePosting(paidOut, attributionOf(payerId))
    return posting ? [{ posting, purpose: 'payout', payerId, recordId }] : []
  })
  const accruals = accrualPostings(context, book, accounts, attributionOf)
  return [...corrections, ...accruals, ...payments, ...payouts]
}

const asAdvice = ({ instruction, ...more }: Posting): Posting => ({
  ...more,
  instruction: { ...instruction, isAdvice: true },
})

/**
 * Returns one posting for each currency in which the accounts accrued interest. It has the interest of each
 * product and customer segment.
 */
function accrualPostings(
  context: Context,
  book: Book,
  accounts: readonly AccruedAccount[],
  attributionOf: AttributionOf,
): PlannedPosting[] {
  const currencies = new Set(accounts.map(({ before }) => before.currency))
  const through = lastEndedDay(context)
  return [...currencies].sort().flatMap((currency): PlannedPosting[] => {
    const inCurrency = accounts.filter(({ before }) => before.currency === currency)
    const amounts = accruedAmounts(inCurrency, attributionOf)
    if (amounts.length === 0) return []
    const count = inCurrency.length
    const posting = book.accrualPosting(context.now(), currency, amounts, through, count)
    return [{ posting, purpose: 'accrual', payerId: null, recordId: null }]
  })
}

/** Returns what accounts accrued by product and segment, in their order. Totals of zero are left out. */
function accruedAmounts(
  accounts: readonly AccruedAccount[],
  attributionOf: AttributionOf,
): AttributedAmount[] {
  const byKey = new Map<string, AttributedAmount>()
  for (const { before, accrual } of accounts) {
    const attribution = attributionOf(before.arrangementId)
    const key = JSON.stringify([attribution.productId, attribution.segment])
    const amountMinor = (byKey.get(key)?.amountMinor ?? 0n) + accrual.accruedMinor
    byKey.set(key, { attribution, amountMinor })
  }
  return [...byKey]
    .filter(([, { amountMinor }]) => amountMinor !== 0n)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, amount]) => amount)
}

import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { internalAccountId, type ChartCode } from '../../../ledger/domain/account.ts'
import { bookedLeg, type Leg } from '../../../ledger/domain/balance.ts'
import { pastValueDate } from '../../../ledger/domain/posting.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import type { Adjustment } from '../domain/adjust.ts'
import type { Capitalized } from '../domain/capitalize.ts'
import type { InterestPosition } from '../domain/position.ts'

/** Returns a leg of a signed amount: a credit if it is positive, a debit if it is negative. */
const legOf = (accountId: string, currency: string, creditMinor: bigint): Leg =>
  creditMinor > 0n
    ? bookedLeg(accountId, 'credit', creditMinor, currency)
    : bookedLeg(accountId, 'debit', -creditMinor, currency)

const internalLeg = (code: ChartCode, currency: string, creditMinor: bigint) =>
  legOf(internalAccountId(code, currency), currency, creditMinor)

/** Returns the posting of accrued interest: an expense of the bank, which it owes to customers. */
function expensePosting(
  now: Date,
  currency: string,
  amountMinor: bigint,
  { valueDate, text, metadata }: { valueDate: LocalDate; text: string; metadata: object },
): Posting {
  const legs = [
    internalLeg('interest-expense', currency, -amountMinor),
    internalLeg('accrued-interest-payable', currency, amountMinor),
  ]
  return {
    instruction: { ...termsAt(now), valueDate, type: 'custom', legs },
    narrative: { ...noNarrative, remittanceInformation: text, metadata: { ...metadata } },
  }
}

/** Returns the posting of the interest that accounts in one currency accrued in one commit. */
export function accrualPosting(
  now: Date,
  currency: string,
  amountMinor: bigint,
  through: LocalDate,
  accounts: number,
): Posting {
  return expensePosting(now, currency, amountMinor, {
    valueDate: pastValueDate(through, now),
    text: `Interest accrued through ${through}`,
    metadata: { interestThrough: through, accounts },
  })
}

/** Returns the posting of a correction. Its text names the period, its metadata the cause. */
export function adjustmentPosting(
  now: Date,
  { arrangementId, currency }: InterestPosition,
  adjustmentId: string,
  { firstDay, lastDay, causedBy, amountMinor }: Adjustment,
): Posting {
  return expensePosting(now, currency, amountMinor, {
    valueDate: dateOf(now),
    text: `Interest adjustment, ${firstDay} to ${lastDay}, because of back-dated postings`,
    metadata: { adjustmentId, arrangementId, causedBy: causedBy.slice(0, 20) },
  })
}

/**
 * Returns the posting of paid interest: the customer receives it, less the tax that is withheld. It
 * is an advice unless the customer owes interest, because a block of an account does not release the
 * bank from paying.
 */
export function capitalizationPosting(
  now: Date,
  { arrangementId, currency }: InterestPosition,
  capitalizationId: string,
  payment: Capitalized,
): Posting {
  const { grossMinor, taxMinor, periodStart, periodEnd, effectiveOn, paidToArrangementId } = payment
  const netMinor = grossMinor - taxMinor
  const legs = [
    internalLeg('accrued-interest-payable', currency, -grossMinor),
    ...(netMinor === 0n ? [] : [legOf(paidToArrangementId, currency, netMinor)]),
    ...(taxMinor === 0n ? [] : [internalLeg('withholding-tax-payable', currency, taxMinor)]),
  ]
  const money = (amountMinor: bigint) => `${formatAmount(amountMinor, currency)} ${currency}`
  const tax =
    taxMinor === 0n ? '' : ` (${money(grossMinor)} less ${money(taxMinor)} withholding tax)`
  const valueDate = pastValueDate(effectiveOn, now)
  return {
    instruction: {
      ...termsAt(now),
      valueDate,
      isAdvice: grossMinor > 0n,
      type: 'custom',
      legs,
    },
    narrative: {
      ...noNarrative,
      remittanceInformation: `Interest ${periodStart} to ${periodEnd}${tax}`,
      metadata: { capitalizationId, arrangementId },
    },
  }
}

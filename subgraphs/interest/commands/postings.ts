import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { internalAccountId, type ChartCode } from '../../../ledger/domain/account.ts'
import { bookedLeg, type Attribution, type Leg } from '../../../ledger/domain/balance.ts'
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

/** What a posting of accrued interest has besides its amount. */
interface AccrualNote {
  valueDate: LocalDate
  text: string
  metadata: object
}

/** Interest of the accounts with the same product and customer segment. */
export interface AttributedAmount {
  attribution: Attribution
  amountMinor: bigint
}

/** Returns a posting that debits one internal account with each amount, and credits another one. */
function accruedPosting(
  now: Date,
  currency: string,
  amounts: readonly AttributedAmount[],
  [debited, credited]: readonly [ChartCode, ChartCode],
  { valueDate, text, metadata }: AccrualNote,
): Posting {
  const legs = amounts.flatMap(({ attribution, amountMinor }): Leg[] => [
    { ...internalLeg(debited, currency, -amountMinor), attribution },
    { ...internalLeg(credited, currency, amountMinor), attribution },
  ])
  return {
    instruction: { ...termsAt(now), valueDate, type: 'custom', legs },
    narrative: { ...noNarrative, remittanceInformation: text, metadata: { ...metadata } },
  }
}

/** Accrued interest of deposits is an expense of the bank, which it owes to customers. */
const expense = ['interest-expense', 'accrued-interest-payable'] as const
/** Accrued interest of overdrafts is income of the bank, which customers owe. */
const income = ['accrued-interest-receivable', 'interest-income'] as const

/** Accrued commitment fees are income of the bank, which customers owe together with the interest. */
const fees = ['accrued-interest-receivable', 'fee-income'] as const

type Accounts = typeof expense | typeof income | typeof fees

const accrualPostingOn =
  (accounts: Accounts, subject: string) =>
  (
    now: Date,
    currency: string,
    amounts: readonly AttributedAmount[],
    through: LocalDate,
    count: number,
  ): Posting =>
    accruedPosting(now, currency, amounts, accounts, {
      valueDate: pastValueDate(through, now),
      text: `${subject} accrued through ${through}`,
      metadata: { interestThrough: through, accounts: count },
    })

/**
 * Returns the posting of the interest that accounts in one currency accrued in one commit, with two legs
 * for each product and customer segment.
 */
export const accrualPosting = accrualPostingOn(expense, 'Interest')
/** Returns the posting of the interest of overdrafts in one currency that accrued in one commit. */
export const overdraftAccrualPosting = accrualPostingOn(income, 'Overdraft interest')

/** Returns the posting of the commitment fees in one currency that accrued in one commit. */
export const feeAccrualPosting = accrualPostingOn(fees, 'Commitment fees')

const adjustmentPostingOn =
  (accounts: Accounts, subject: string) =>
  (
    now: Date,
    { arrangementId, currency }: InterestPosition,
    adjustmentId: string,
    { firstDay, lastDay, causedBy, amountMinor }: Adjustment,
    attribution: Attribution,
  ): Posting =>
    accruedPosting(now, currency, [{ attribution, amountMinor }], accounts, {
      valueDate: dateOf(now),
      text: `${subject} adjustment, ${firstDay} to ${lastDay}, because of back-dated postings`,
      metadata: { adjustmentId, arrangementId, causedBy: causedBy.slice(0, 20) },
    })

/** Returns the posting of a correction. Its text names the period, its metadata the cause. */
export const adjustmentPosting = adjustmentPostingOn(expense, 'Interest')
/** Returns the posting of a correction of the interest of an overdraft. */
export const overdraftAdjustmentPosting = adjustmentPostingOn(income, 'Overdraft interest')

/** Returns the posting of a correction of a commitment fee. */
export const feeAdjustmentPosting = adjustmentPostingOn(fees, 'Commitment fee')

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

const chargePostingOn =
  (subject: string) =>
  (
    now: Date,
    { arrangementId, currency }: InterestPosition,
    chargeId: string,
    { grossMinor, periodStart, periodEnd, effectiveOn }: Capitalized,
  ): Posting => {
    const legs = [
      legOf(arrangementId, currency, -grossMinor),
      internalLeg('accrued-interest-receivable', currency, grossMinor),
    ]
    const valueDate = pastValueDate(effectiveOn, now)
    return {
      instruction: { ...termsAt(now), valueDate, isAdvice: true, type: 'custom', legs },
      narrative: {
        ...noNarrative,
        remittanceInformation: `${subject} ${periodStart} to ${periodEnd}`,
        metadata: { chargeId, arrangementId },
      },
    }
  }

/**
 * Returns the posting that charges the interest of an overdraft to the account. It is an advice: the
 * customer owes the interest even if the account is blocked or then beyond its limit. After a
 * correction, the amount can be negative, and the bank refunds it.
 */
export const chargePosting = chargePostingOn('Overdraft interest')
/** Returns the posting that charges the commitment fee to the account, an advice as well. */
export const feeChargePosting = chargePostingOn('Commitment fee')

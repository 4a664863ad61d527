import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { DepositInterest } from '../../../kernel/domain/deposit-interest.ts'
import { ofPercent } from '../../../kernel/domain/rational.ts'
import { mergeAmounts, outstandingOf, type InterestPosition } from './position.ts'

/**
 * Why interest is paid: the period ended, the account is being closed, the bank requested it, or a
 * term deposit ended.
 */
export type CapitalizationReason = 'calendar' | 'closure' | 'request' | 'term-end'

/** A payment of interest. Amounts are in minor units. */
export interface Capitalized {
  reason: CapitalizationReason
  periodStart: LocalDate
  periodEnd: LocalDate
  /** The day from which the paid interest earns interest itself. */
  effectiveOn: LocalDate
  /** Negative if the customer owes interest, because of a negative rate or a correction. */
  grossMinor: bigint
  taxMinor: bigint
  paidToArrangementId: string
}

/**
 * Pays the interest that is accrued and not paid, on the day after it. The net amount increases the
 * balance of the account from that day on, unless it is paid to another account. Nothing is paid if
 * the interest rounds to zero; the remainder is never lost, because it is part of the exact total.
 */
export function capitalize(
  before: InterestPosition,
  terms: DepositInterest,
  effectiveOn: LocalDate,
  reason: CapitalizationReason,
  isExemptOn: (day: LocalDate) => boolean,
): { position: InterestPosition; capitalizations: Capitalized[] } {
  const grossMinor = outstandingOf(before)
  const periodEnd = addDays(effectiveOn, -1)
  if (grossMinor === 0n) {
    return { position: { ...before, periodStart: effectiveOn }, capitalizations: [] }
  }
  const { arrangementId, payoutArrangementId, periodStart } = before
  const taxMinor = isExemptOn(effectiveOn) ? 0n : taxOf(grossMinor, terms.withholdingTaxPct)
  const amount = { valueDate: effectiveOn, amountMinor: grossMinor - taxMinor }
  const position = {
    ...before,
    periodStart: effectiveOn,
    capitalizedMinor: before.capitalizedMinor + grossMinor,
    ahead: payoutArrangementId === null ? mergeAmounts(before.ahead, [amount]) : before.ahead,
  }
  const capitalized = {
    reason,
    // Two payments on one day are for the same last day.
    periodStart: periodStart > periodEnd ? periodEnd : periodStart,
    periodEnd,
    effectiveOn,
    grossMinor,
    taxMinor,
    paidToArrangementId: payoutArrangementId ?? arrangementId,
  }
  return { position, capitalizations: [capitalized] }
}

/**
 * Returns the tax on paid interest, rounded down, so that never more than the percentage is
 * withheld. Interest that the customer owes is not taxed.
 */
export function taxOf(grossMinor: bigint, percent: string): bigint {
  if (grossMinor <= 0n) return 0n
  const { num, den } = ofPercent(percent)
  return (grossMinor * num) / den
}

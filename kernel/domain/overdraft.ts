import type { LocalDate } from './dates.ts'
import type { DepositDayCount } from './deposit-interest.ts'
import { moneyFromJson, moneyToJson } from './money.ts'
import type { Money } from './money.ts'

/** When the accrued interest of an overdraft is charged: after each calendar month, quarter or year. */
export const overdraftChargeFrequencies = ['monthly', 'quarterly', 'annually'] as const
export type OverdraftChargeFrequency = (typeof overdraftChargeFrequencies)[number]

/**
 * The terms on which accounts under a product version can be overdrawn. Rates are in percent per
 * year and never negative.
 */
export interface OverdraftTerms {
  /** The rate for what is overdrawn within the limit of the account. */
  annualRatePct: string
  /** The rate for what is overdrawn beyond the limit. */
  unarrangedRatePct: string
  /** The amount that can be overdrawn without interest; null if there is none. */
  interestFreeAmount: Money | null
  dayCount: DepositDayCount
  charging: OverdraftChargeFrequency
  /** The days from the approval of a lower limit until it can begin to hold. */
  noticeDays: number
  /**
   * The number of days in a row beyond the limit after which interest is not accrued; null if it is
   * always accrued.
   */
  suspendAfterDays: number | null
}

/** The terms as rows and published facts store them: amounts in minor units are strings. */
export type OverdraftTermsInJson = { [Member in keyof OverdraftTerms]?: unknown }

export function overdraftTermsToJson(terms: OverdraftTerms): OverdraftTermsInJson {
  return { ...terms, interestFreeAmount: moneyToJson(terms.interestFreeAmount) }
}

/** Converts the result of `overdraftTermsToJson` back to terms. */
export function overdraftTermsFromJson(json: OverdraftTermsInJson): OverdraftTerms {
  const terms = json as unknown as OverdraftTerms
  return { ...terms, interestFreeAmount: moneyFromJson(terms.interestFreeAmount) }
}

/**
 * An approved overdraft of an account, in the published fact `overdrafts/<arrangementId>`. Amounts are
 * in minor units of the currency of the account, dates are inclusive.
 */
export interface ApprovedOverdraft {
  overdraftId: string
  limitMinor: string
  annualRatePct: string
  unarrangedRatePct: string
  interestFreeMinor: string
  validFrom: LocalDate
  validTo: LocalDate | null
}

/**
 * Returns the overdraft of an account that applies on a day; null if there is none. Of several, the
 * one that begins last applies, so that a temporary limit ends by itself; of those that begin on one
 * day, the one that was approved last. `overdrafts` must be in the order of their approval.
 */
export function overdraftOn<Overdraft extends Pick<ApprovedOverdraft, 'validFrom' | 'validTo'>>(
  overdrafts: readonly Overdraft[],
  day: LocalDate,
): Overdraft | null {
  let applying: Overdraft | null = null
  for (const each of overdrafts) {
    if (day < each.validFrom || (each.validTo !== null && each.validTo < day)) continue
    if (applying === null || each.validFrom >= applying.validFrom) applying = each
  }
  return applying
}

import { Decimal } from 'decimal.js'
import type { LocalDate } from './dates.ts'
import { maxRateDecimals, type DepositDayCount } from './deposit-interest.ts'
import { enumeration, type TypeOf } from './model.ts'
import { moneyFromJson, moneyToJson } from './money.ts'
import type { Money } from './money.ts'
import type { RateBounds } from './reference-rate.ts'

/** When the accrued interest of an overdraft is charged: after each calendar month, quarter or year. */
export const overdraftChargeFrequencies = ['monthly', 'quarterly', 'annually'] as const
export type OverdraftChargeFrequency = (typeof overdraftChargeFrequencies)[number]

export const OverdraftReset = enumeration(
  'OverdraftReset',
  'When the rates of an overdraft that follows a reference rate are reset.',
  {
    daily: 'Every day.',
    monthly: 'On the first day of each month.',
    quarterly: 'On the first day of each calendar quarter.',
    'semi-annually': 'On January 1 and July 1.',
    annually: 'On January 1.',
  },
)
export type OverdraftReset = TypeOf<typeof OverdraftReset>

/** How the rates of an overdraft follow a reference rate. The bounds are never negative. */
export interface FloatingOverdraftRate extends RateBounds {
  referenceRateId: string
  resets: OverdraftReset
  /** How many calendar days before the reset date the fixing is taken. */
  lookbackDays: number
  minimumRatePct: string
}

const maxLookbackDays = 31

/** What is wrong with a floating rate, by its member. */
export const floatingOverdraftRules = {
  lookbackDays: `The days must be from 0 to ${maxLookbackDays}.`,
  minimumRatePct: `The lowest rate must be from 0 to 100 with at most ${maxRateDecimals} decimals.`,
  maximumRatePct: `The highest rate must be from 0 to 100 with at most ${maxRateDecimals} decimals, and not below the lowest.`,
}

/** Returns the members of a floating rate that break their rules; empty if there are none. */
export function floatingOverdraftFaults({
  lookbackDays,
  minimumRatePct,
  maximumRatePct,
}: FloatingOverdraftRate): (keyof typeof floatingOverdraftRules)[] {
  const isInRange = (ratePct: string) => {
    const rate = new Decimal(ratePct)
    return !rate.isNegative() && rate.lte(100) && rate.decimalPlaces() <= maxRateDecimals
  }
  const isCapped = maximumRatePct !== null
  const isCapValid =
    !isCapped || (isInRange(maximumRatePct) && new Decimal(maximumRatePct).gte(minimumRatePct))
  return [
    ...(lookbackDays >= 0 && lookbackDays <= maxLookbackDays ? [] : ['lookbackDays' as const]),
    ...(isInRange(minimumRatePct) ? [] : ['minimumRatePct' as const]),
    ...(isCapValid ? [] : ['maximumRatePct' as const]),
  ]
}

/**
 * The terms on which accounts under a product version can be overdrawn. Rates are in percent per
 * year and, unless they follow a reference rate, never negative.
 */
export interface OverdraftTerms {
  /** The rate for what is overdrawn within the limit of the account. */
  annualRatePct: string
  /** The rate for what is overdrawn beyond the limit. */
  unarrangedRatePct: string
  /** If present, the two rates are margins that are added to the reference rate. */
  floatingRate?: FloatingOverdraftRate
  /** If present, the fee for the unused part of the limit, in percent per year. */
  commitmentFeePct?: string
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
  /** If present, the two rates are margins that are added to the reference rate. */
  floatingRate?: FloatingOverdraftRate
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

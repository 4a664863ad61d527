import type { LocalDate } from './dates.ts'
import { standardYearFraction, toDay } from './day-count.ts'
import { fixedTermsFromJson, fixedTermsToJson, type FixedTerms } from './fixed-terms.ts'
import { moneyFromJson, moneyToJson, type Money } from './money.ts'
import { floatingRatePct, type RateBounds } from './reference-rate.ts'

/** The day-count conventions of deposits. Their names are explained in `standardYearFraction`. */
export const depositDayCounts = [
  'act-365',
  'act-360',
  'act-act',
  'thirty-360-us',
  'thirty-e-360',
] as const
export type DepositDayCount = (typeof depositDayCounts)[number]

/**
 * How tiers apply. With `band`, each slice of the balance earns the rate of its own tier; with
 * `whole-balance`, the whole balance earns the rate of the tier that contains it.
 */
export const tierMethods = ['band', 'whole-balance'] as const
export type TierMethod = (typeof tierMethods)[number]

/** When accrued interest is paid: after each calendar month, quarter or year, or at the end. */
export const capitalizationFrequencies = [
  'monthly',
  'quarterly',
  'annually',
  'at-maturity',
] as const
export type CapitalizationFrequency = (typeof capitalizationFrequencies)[number]

/**
 * The annual rate, in percent, for a balance up to and including `upTo`; null for the last tier. A
 * negative rate charges the customer.
 */
export interface DepositInterestTier {
  upTo: Money | null
  annualRatePct: string
}

/** How the rates of deposits follow a reference rate, day by day. */
export interface FloatingDepositRate extends RateBounds {
  referenceRateId: string
}

/**
 * The interest that a product version pays on balances. All amounts are in one currency, which is
 * then the only currency of the product.
 */
export interface DepositInterest {
  tierMethod: TierMethod
  /** In ascending order of `upTo`. A single tier without a bound is a fixed rate. */
  tiers: readonly DepositInterestTier[]
  /** If present, the rates of the tiers are margins that are added to the reference rate. */
  floatingRate?: FloatingDepositRate
  dayCount: DepositDayCount
  /** A balance below this amount earns nothing; null if every positive balance earns. */
  minimumBalance: Money | null
  capitalization: CapitalizationFrequency
  /** The percentage of paid interest that is withheld as tax. */
  withholdingTaxPct: string
  /**
   * The first day on which these terms also apply to accounts under earlier versions; null if they
   * apply to no other accounts.
   */
  existingAccountsFrom: LocalDate | null
  /** The terms for which money can be deposited at a fixed rate; absent if there are none. */
  fixedTerms?: FixedTerms
}

/** Returns the terms with the rates that a fixing of their reference rate results in. */
export function withFixing(terms: DepositInterest, fixingPct: string): DepositInterest {
  const { floatingRate, tiers } = terms
  if (!floatingRate) return terms
  const ratedTiers = tiers.map(({ upTo, annualRatePct }) => ({
    upTo,
    annualRatePct: floatingRatePct(fixingPct, annualRatePct, floatingRate),
  }))
  return { ...terms, tiers: ratedTiers }
}

/** The maximum number of decimals of an annual rate in percent. */
export const maxRateDecimals = 6

const ratesPerPercent = 10n ** BigInt(maxRateDecimals)
/** The least common multiple of 360, 365 and 366, so that a fraction of a year is an integer. */
const yearParts = 1_603_080n

/**
 * The number of accrual units in a minor unit. A day's interest is an integer number of accrual
 * units under every convention and rate, so that accruals are exact and are never rounded.
 */
export const unitsPerMinor = yearParts * 100n * ratesPerPercent

/**
 * Converts a rate in percent to a multiple of the smallest rate: "1.5" becomes 1500000. More than six
 * decimals are zeros, which the checks of rates allow.
 */
function rateOf(percent: string): bigint {
  const [integerPart, decimals = ''] = percent.split('.')
  const sixDecimals = decimals.slice(0, maxRateDecimals).padEnd(maxRateDecimals, '0')
  return BigInt(integerPart! + sixDecimals)
}

/** Returns the sum of balance times rate over the tiers, in minor units and smallest rates. */
function annualProduct({ tierMethod, tiers }: DepositInterest, balanceMinor: bigint): bigint {
  if (tierMethod === 'whole-balance') {
    const tier = tiers.find(({ upTo }) => upTo === null || balanceMinor <= upTo.amountMinor)!
    return balanceMinor * rateOf(tier.annualRatePct)
  }
  let product = 0n
  let lowerBound = 0n
  for (const { upTo, annualRatePct } of tiers) {
    const isLast = upTo === null || balanceMinor <= upTo.amountMinor
    const upperBound = isLast ? balanceMinor : upTo.amountMinor
    product += (upperBound - lowerBound) * rateOf(annualRatePct)
    if (isLast) break
    lowerBound = upperBound
  }
  return product
}

/**
 * Returns the interest of one day, in accrual units: what the balance at the end of `day` earns
 * until the end of the next day. A balance of zero or less, and a balance below the minimum, earns
 * nothing.
 *
 * The day counts as the part by which it extends the year fraction since `countedFrom`, the first
 * day of its interest period. So the days of a period add up to the fraction that the convention
 * has for the period, which matters for 30/360: there, single days do not add up to the month.
 */
export function dailyInterest(
  terms: DepositInterest,
  balanceMinor: bigint,
  day: LocalDate,
  countedFrom: LocalDate,
): bigint {
  const { minimumBalance, dayCount } = terms
  if (balanceMinor <= 0n) return 0n
  if (minimumBalance !== null && balanceMinor < minimumBalance.amountMinor) return 0n
  return annualProduct(terms, balanceMinor) * yearPartsOf(dayCount, day, countedFrom)
}

function yearPartsOf(dayCount: DepositDayCount, day: LocalDate, countedFrom: LocalDate): bigint {
  const from = toDay(day)
  const start = dayCount.startsWith('thirty-') ? toDay(countedFrom) : from
  return partsBetween(dayCount, start, from + 1) - partsBetween(dayCount, start, from)
}

function partsBetween(dayCount: DepositDayCount, from: number, to: number): bigint {
  const { num, den } = standardYearFraction(dayCount, from, to)
  return (num * yearParts) / den
}

const monthsOf = { monthly: 1, quarterly: 3, annually: 12 } as const

/**
 * Returns the first day of the calendar period that contains a day; null for `at-maturity`, which
 * has no calendar.
 */
export function periodStartOf(
  frequency: CapitalizationFrequency,
  day: LocalDate,
): LocalDate | null {
  if (frequency === 'at-maturity') return null
  const months = monthsOf[frequency]
  const month = Number(day.slice(5, 7)) - 1
  const firstMonth = month - (month % months) + 1
  return `${day.slice(0, 5)}${String(firstMonth).padStart(2, '0')}-01`
}

/** Returns the first day of the calendar period after the one that contains a day. */
export function nextPeriodStartOf(
  frequency: CapitalizationFrequency,
  day: LocalDate,
): LocalDate | null {
  const start = periodStartOf(frequency, day)
  if (frequency === 'at-maturity' || start === null) return null
  const monthCount = Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7)) - 1
  const next = monthCount + monthsOf[frequency]
  const [year, month] = [Math.floor(next / 12), (next % 12) + 1]
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
}

/** The terms as rows and published facts store them: amounts in minor units are strings. */
export type DepositInterestInJson = { [Member in keyof DepositInterest]?: unknown }

export function depositInterestToJson(terms: DepositInterest): DepositInterestInJson {
  const { tiers, minimumBalance, fixedTerms } = terms
  return {
    ...terms,
    tiers: tiers.map((tier) => ({ ...tier, upTo: moneyToJson(tier.upTo) })),
    minimumBalance: moneyToJson(minimumBalance),
    ...(fixedTerms && { fixedTerms: fixedTermsToJson(fixedTerms) }),
  }
}

/** Converts the result of `depositInterestToJson` back to terms. */
export function depositInterestFromJson(json: DepositInterestInJson): DepositInterest {
  const { tiers, minimumBalance, fixedTerms, ...terms } = json as unknown as DepositInterest
  return {
    ...terms,
    tiers: tiers.map((tier) => ({ ...tier, upTo: moneyFromJson(tier.upTo) })),
    minimumBalance: moneyFromJson(minimumBalance),
    ...(fixedTerms && { fixedTerms: fixedTermsFromJson(fixedTerms) }),
  }
}

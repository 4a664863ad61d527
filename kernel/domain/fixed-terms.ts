import type { LocalDate } from './dates.ts'
import { addMonths, toDate } from './day-count.ts'
import { formatAmount, moneyFromJson, moneyToJson, type Money } from './money.ts'
import { Problem } from './problem.ts'
import { isOnSale, type SalePeriod } from './product-sale.ts'

/** A term for which money can be deposited, with the rate that is fixed for it. */
export interface FixedTermOffer {
  months: number
  /** The annual rate, in percent. */
  annualRatePct: string
}

/**
 * What a withdrawal before the end of a term costs: the sum of `penaltyDays` days of interest at the
 * rate of the term, and of the interest at `penaltyRatePct` for the days that the money was deposited.
 */
export interface EarlyWithdrawalTerms {
  /** The days between the notice and the withdrawal. */
  noticeDays: number
  penaltyDays: number
  /** An annual rate, in percent. */
  penaltyRatePct: string
  /**
   * Whether the penalty is at most the interest of the term after tax, so that the deposit is not
   * reduced.
   */
  isPrincipalProtected: boolean
}

/** The terms for which money can be deposited under a product version. */
export interface FixedTerms {
  /** In ascending order of the months. */
  offers: readonly FixedTermOffer[]
  minimumAmount: Money | null
  maximumAmount: Money | null
  /** null if the money cannot be withdrawn before the end of the term. */
  earlyWithdrawal: EarlyWithdrawalTerms | null
}

/** Converts fixed terms for rows and published facts: amounts in minor units are strings. */
export function fixedTermsToJson(terms: FixedTerms) {
  const { minimumAmount, maximumAmount } = terms
  return {
    ...terms,
    minimumAmount: moneyToJson(minimumAmount),
    maximumAmount: moneyToJson(maximumAmount),
  }
}

/** Converts the result of `fixedTermsToJson` back to fixed terms. */
export function fixedTermsFromJson(json: object): FixedTerms {
  const terms = json as FixedTerms
  const { minimumAmount, maximumAmount } = terms
  return {
    ...terms,
    minimumAmount: moneyFromJson(minimumAmount),
    maximumAmount: moneyFromJson(maximumAmount),
  }
}

/** The term of a deposit as the bank agrees to it. */
export interface AgreedTerm {
  months: number
  annualRatePct: string
  earlyWithdrawal: EarlyWithdrawalTerms | null
}

/** What the published fact of a product says about fixed terms. */
interface ProductWithTerms {
  versions: readonly (SalePeriod & { depositInterest?: object })[]
}

/** Returns the fixed terms that a product offers on a day; null if it offers none. */
export function fixedTermsOn({ versions }: ProductWithTerms, day: LocalDate): FixedTerms | null {
  const onSale = versions.find((version) => isOnSale(version, day))
  const { fixedTerms } = (onSale?.depositInterest ?? {}) as { fixedTerms?: object }
  return fixedTerms ? fixedTermsFromJson(fixedTerms) : null
}

/** Returns the offered term of a length for an amount; null if it is not offered. */
export function agreedTerm(
  offered: FixedTerms | null,
  months: number,
  amountMinor: bigint,
): AgreedTerm | null {
  const offer = offered?.offers.find((each) => each.months === months)
  if (!offered || !offer) return null
  const { minimumAmount, maximumAmount, earlyWithdrawal } = offered
  if (amountMinor < (minimumAmount?.amountMinor ?? 1n)) return null
  if (maximumAmount && amountMinor > maximumAmount.amountMinor) return null
  return { ...offer, earlyWithdrawal }
}

/** Returns the offered term of a length for an amount. Throws TERM_DEPOSIT_NOT_OFFERED. */
export function requireAgreedTerm(
  offered: FixedTerms | null,
  months: number,
  amountMinor: bigint,
): AgreedTerm {
  const term = agreedTerm(offered, months, amountMinor)
  if (term) return term
  const code = 'TERM_DEPOSIT_NOT_OFFERED'
  const lengths = offered?.offers.map((each) => each.months) ?? []
  const isLengthOffered = lengths.includes(months)
  const { minimumAmount = null, maximumAmount = null } = offered ?? {}
  const money = (bound: Money) =>
    `${formatAmount(bound.amountMinor, bound.currency)} ${bound.currency}`
  const bounds = [
    minimumAmount ? `at least ${money(minimumAmount)}` : 'above zero',
    maximumAmount && `at most ${money(maximumAmount)}`,
  ]
  const detail = isLengthOffered
    ? `A deposit must be ${bounds.filter(Boolean).join(' and ')}.`
    : `The product offers ${lengths.length > 0 ? `terms of ${lengths.join(', ')} months` : 'no fixed terms'}.`
  const pointer = isLengthOffered ? '/amount/amount' : '/months'
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

/**
 * Returns the day on which a term ends: the same day of the month, or the last day of a shorter
 * month.
 */
export function maturityOf(startsOn: LocalDate, months: number): LocalDate {
  return toDate(addMonths(startsOn, months))
}

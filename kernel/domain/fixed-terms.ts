import { moneyFromJson, moneyToJson, type Money } from './money.ts'

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

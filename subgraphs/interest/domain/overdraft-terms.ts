import type { DepositInterest } from '../../../kernel/domain/deposit-interest.ts'
import {
  overdraftOn,
  overdraftTermsFromJson,
  type ApprovedOverdraft,
  type FloatingOverdraftRate,
  type OverdraftTerms,
} from '../../../kernel/domain/overdraft.ts'
import type { ReferenceRateFact } from '../../../kernel/domain/reference-rate.ts'
import { ratesOn } from './overdraft-rates.ts'
import type { ProductFact, TermsByDay } from './terms.ts'

/** The published fact of the overdrafts of an account, in the order of their approval. */
export interface OverdraftsFact {
  arrangementId: string
  overdrafts: ApprovedOverdraft[]
}

/** The rates of an overdraft, with its limit. Amounts are in minor units. */
export interface OverdraftRates {
  limitMinor: bigint
  interestFreeMinor: bigint
  annualRatePct: string
  unarrangedRatePct: string
  floatingRate?: FloatingOverdraftRate
}

/** Returns the overdraft terms of a product version; null if it has none. */
export function overdraftTermsOf(product: ProductFact, version: string): OverdraftTerms | null {
  const terms = product.versions.find((each) => each.version === version)?.overdraft
  return terms ? overdraftTermsFromJson(terms) : null
}

/**
 * Returns the terms of overdrawn balances by day. Interest is computed as that of a deposit is, on
 * what the customer owes: nothing up to the interest-free amount, then the arranged rate up to the
 * limit, and the unarranged rate beyond it. Without an overdraft, the limit is zero and the rates are
 * those of the product version. Rates that follow a reference rate are those of the reset that was in
 * force on the day.
 */
export function overdraftTermsByDay(
  product: ProductFact,
  productVersion: string,
  currency: string,
  overdrafts: readonly ApprovedOverdraft[],
  referenceRates: ReadonlyMap<string, ReferenceRateFact | null> = new Map(),
): TermsByDay {
  const offered = overdraftTermsOf(product, productVersion)
  return (day) => {
    if (!offered) return null
    const approved = overdraftOn(overdrafts, day)
    const agreed: OverdraftRates = approved
      ? {
          limitMinor: BigInt(approved.limitMinor),
          interestFreeMinor: BigInt(approved.interestFreeMinor),
          annualRatePct: approved.annualRatePct,
          unarrangedRatePct: approved.unarrangedRatePct,
          ...(approved.floatingRate && { floatingRate: approved.floatingRate }),
        }
      : {
          limitMinor: 0n,
          interestFreeMinor: offered.interestFreeAmount?.amountMinor ?? 0n,
          annualRatePct: offered.annualRatePct,
          unarrangedRatePct: offered.unarrangedRatePct,
          ...(offered.floatingRate && { floatingRate: offered.floatingRate }),
        }
    const { suspendAfterDays } = offered
    const rates = ratesOn(agreed, referenceRates, day)
    return {
      terms: interestTerms(offered, { ...agreed, ...rates }, currency),
      productVersion,
      rateId: approved?.overdraftId ?? null,
      limit: { limitMinor: agreed.limitMinor, suspendAfterDays },
      rates,
    }
  }
}

/** Returns the IDs of the reference rates that the overdrafts of an account follow. */
export function overdraftReferenceRateIds(
  product: ProductFact,
  productVersion: string,
  overdrafts: readonly ApprovedOverdraft[],
): string[] {
  const terms = [overdraftTermsOf(product, productVersion), ...overdrafts]
  return terms.flatMap((each) => each?.floatingRate?.referenceRateId ?? [])
}

/**
 * Returns the terms of an account that can be overdrawn although its product version has no overdraft
 * terms: it owes no interest, and keeps the limit with which it was opened.
 */
export function termsWithoutInterest(
  productVersion: string,
  currency: string,
  limitMinor: bigint,
): TermsByDay {
  const rates = { limitMinor, interestFreeMinor: 0n, annualRatePct: '0', unarrangedRatePct: '0' }
  const offered = { dayCount: 'act-365', charging: 'monthly' } as const
  const terms = interestTerms(offered, rates, currency)
  return () => ({
    terms,
    productVersion,
    rateId: null,
    limit: { limitMinor, suspendAfterDays: null },
  })
}

/** Returns the terms of a deposit that grows as an overdrawn balance does. */
function interestTerms(
  { dayCount, charging }: Pick<OverdraftTerms, 'dayCount' | 'charging'>,
  { limitMinor, interestFreeMinor, annualRatePct, unarrangedRatePct }: OverdraftRates,
  currency: string,
): DepositInterest {
  const upTo = (amountMinor: bigint) => ({ amountMinor, currency })
  return {
    tierMethod: 'band',
    tiers: [
      ...(interestFreeMinor > 0n ? [{ upTo: upTo(interestFreeMinor), annualRatePct: '0' }] : []),
      ...(limitMinor > interestFreeMinor ? [{ upTo: upTo(limitMinor), annualRatePct }] : []),
      { upTo: null, annualRatePct: unarrangedRatePct },
    ],
    dayCount,
    minimumBalance: null,
    capitalization: charging,
    withholdingTaxPct: '0',
    existingAccountsFrom: null,
  }
}

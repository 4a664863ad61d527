import { overdraftOn, type ApprovedOverdraft } from '../../../kernel/domain/overdraft.ts'
import { overdraftTermsOf } from './overdraft-terms.ts'
import type { Commitment, ProductFact, TermsByDay } from './terms.ts'

/** Whether accounts under a product version are charged for the unused part of their limit. */
export function hasCommitmentFee(product: ProductFact, productVersion: string): boolean {
  return overdraftTermsOf(product, productVersion)?.commitmentFeePct !== undefined
}

/**
 * Returns the terms of the commitment fee of an account by day: a rate per year on the unused part of
 * the limit, with the day count and the calendar of the interest of its overdraft. `isBlocked` is
 * whether the account is blocked for debits now; days that are accrued keep what applied then.
 */
export function commitmentFeeByDay(
  product: ProductFact,
  productVersion: string,
  overdrafts: readonly ApprovedOverdraft[],
  isBlocked: boolean,
): TermsByDay {
  const offered = overdraftTermsOf(product, productVersion)
  return (day) => {
    if (offered?.commitmentFeePct === undefined) return null
    const approved = overdraftOn(overdrafts, day)
    return {
      terms: {
        tierMethod: 'band',
        tiers: [{ upTo: null, annualRatePct: offered.commitmentFeePct }],
        dayCount: offered.dayCount,
        minimumBalance: null,
        capitalization: offered.charging,
        withholdingTaxPct: '0',
        existingAccountsFrom: null,
      },
      productVersion,
      rateId: approved?.overdraftId ?? null,
      limit: null,
      commitment: { limitMinor: BigInt(approved?.limitMinor ?? 0), isPaused: isBlocked },
    }
  }
}

/** Returns the unused part of a limit. `owedMinor` is negative if the account has a credit balance. */
export function unusedMinor({ limitMinor }: Commitment, owedMinor: bigint): bigint {
  const drawnMinor = owedMinor > 0n ? owedMinor : 0n
  return limitMinor > drawnMinor ? limitMinor - drawnMinor : 0n
}

import type { OverdraftTerms } from '../../../kernel/domain/overdraft.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import type { ProductOverdraft, ProductOverdraftInput } from '../model/overdraft.ts'
import { moneyIn } from './deposit-interest-in-graph.ts'

/** Converts the overdraft terms of a product to their GraphQL type. */
export function overdraftOut(terms: OverdraftTerms): ProductOverdraft {
  const { interestFreeAmount, floatingRate = null, commitmentFeePct = null } = terms
  const interestFree = interestFreeAmount && moneyOut(interestFreeAmount)
  return { ...terms, floatingRate, commitmentFeePct, interestFreeAmount: interestFree }
}

/** Converts an input to overdraft terms. Throws VALIDATION_FAILED if an amount is invalid. */
export function overdraftIn(terms: ProductOverdraftInput): OverdraftTerms {
  return {
    annualRatePct: terms.annualRatePct,
    unarrangedRatePct: terms.unarrangedRatePct ?? terms.annualRatePct,
    // Left out if absent, so that requests have the same content as before it existed.
    ...(terms.floatingRate && {
      floatingRate: {
        referenceRateId: terms.floatingRate.referenceRateId,
        resets: terms.floatingRate.resets ?? 'daily',
        lookbackDays: terms.floatingRate.lookbackDays ?? 0,
        minimumRatePct: terms.floatingRate.minimumRatePct ?? '0',
        maximumRatePct: terms.floatingRate.maximumRatePct ?? null,
      },
    }),
    ...(terms.commitmentFeePct && { commitmentFeePct: terms.commitmentFeePct }),
    interestFreeAmount: moneyIn(terms.interestFreeAmount, '/overdraft/interestFreeAmount'),
    dayCount: terms.dayCount ?? 'act-365',
    charging: terms.charging ?? 'monthly',
    noticeDays: terms.noticeDays ?? 0,
    suspendAfterDays: terms.suspendAfterDays ?? null,
  }
}

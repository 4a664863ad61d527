import type { OverdraftTerms } from '../../../kernel/domain/overdraft.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import type { ProductOverdraft, ProductOverdraftInput } from '../model/overdraft.ts'
import { moneyIn } from './deposit-interest-in-graph.ts'

/** Converts the overdraft terms of a product to their GraphQL type. */
export function overdraftOut(terms: OverdraftTerms): ProductOverdraft {
  const { interestFreeAmount } = terms
  return { ...terms, interestFreeAmount: interestFreeAmount && moneyOut(interestFreeAmount) }
}

/** Converts an input to overdraft terms. Throws VALIDATION_FAILED if an amount is invalid. */
export function overdraftIn(terms: ProductOverdraftInput): OverdraftTerms {
  return {
    annualRatePct: terms.annualRatePct,
    unarrangedRatePct: terms.unarrangedRatePct ?? terms.annualRatePct,
    interestFreeAmount: moneyIn(terms.interestFreeAmount, '/overdraft/interestFreeAmount'),
    dayCount: terms.dayCount ?? 'act-365',
    charging: terms.charging ?? 'monthly',
    noticeDays: terms.noticeDays ?? 0,
    suspendAfterDays: terms.suspendAfterDays ?? null,
  }
}

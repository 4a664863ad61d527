import type { DepositInterest } from '../../../kernel/domain/deposit-interest.ts'
import type { FixedTerms } from '../../../kernel/domain/fixed-terms.ts'
import { parseAmount, type Money } from '../../../kernel/domain/money.ts'
import { moneyOut, type MoneyInput } from '../../../kernel/graph/money.types.ts'
import type {
  ProductDepositInterest,
  ProductDepositInterestInput,
} from '../model/deposit-interest.ts'
import type { ProductFixedTerms, ProductFixedTermsInput } from '../model/fixed-terms.ts'

/** Converts the interest terms of a product to their GraphQL type. */
export function depositInterestOut(terms: DepositInterest): ProductDepositInterest {
  const { tiers, minimumBalance, floatingRate = null, fixedTerms = null } = terms
  return {
    ...terms,
    floatingRate,
    tiers: tiers.map(({ upTo, annualRatePct }) => ({
      upTo: upTo && moneyOut(upTo),
      annualRatePct,
    })),
    minimumBalance: minimumBalance && moneyOut(minimumBalance),
    fixedTerms: fixedTerms && fixedTermsOut(fixedTerms),
  }
}

function fixedTermsOut(terms: FixedTerms): ProductFixedTerms {
  const { offers, minimumAmount, maximumAmount } = terms
  return {
    ...terms,
    offers: [...offers],
    minimumAmount: minimumAmount && moneyOut(minimumAmount),
    maximumAmount: maximumAmount && moneyOut(maximumAmount),
  }
}

/** Converts an input to interest terms. Throws VALIDATION_FAILED if an amount is invalid. */
export function depositInterestIn(terms: ProductDepositInterestInput): DepositInterest {
  const pointer = '/depositInterest'
  return {
    tierMethod: terms.tierMethod ?? 'band',
    tiers: terms.tiers.map(({ upTo, annualRatePct }, index) => ({
      upTo: moneyIn(upTo, `${pointer}/tiers/${index}/upTo`),
      annualRatePct,
    })),
    // Left out if absent, so that requests have the same content as before it existed.
    ...(terms.floatingRate && {
      floatingRate: {
        referenceRateId: terms.floatingRate.referenceRateId,
        minimumRatePct: terms.floatingRate.minimumRatePct ?? null,
        maximumRatePct: terms.floatingRate.maximumRatePct ?? null,
      },
    }),
    dayCount: terms.dayCount ?? 'act-365',
    minimumBalance: moneyIn(terms.minimumBalance, `${pointer}/minimumBalance`),
    capitalization: terms.capitalization,
    withholdingTaxPct: terms.withholdingTaxPct ?? '0',
    existingAccountsFrom: terms.existingAccountsFrom ?? null,
    ...(terms.fixedTerms && {
      fixedTerms: fixedTermsIn(terms.fixedTerms, `${pointer}/fixedTerms`),
    }),
  }
}

function fixedTermsIn(terms: ProductFixedTermsInput, pointer: string): FixedTerms {
  const { offers, minimumAmount, maximumAmount, earlyWithdrawal } = terms
  return {
    offers,
    minimumAmount: moneyIn(minimumAmount, `${pointer}/minimumAmount`),
    maximumAmount: moneyIn(maximumAmount, `${pointer}/maximumAmount`),
    earlyWithdrawal: earlyWithdrawal
      ? {
          noticeDays: earlyWithdrawal.noticeDays ?? 0,
          penaltyDays: earlyWithdrawal.penaltyDays ?? 0,
          penaltyRatePct: earlyWithdrawal.penaltyRatePct ?? '0',
          isPrincipalProtected: earlyWithdrawal.isPrincipalProtected ?? true,
        }
      : null,
  }
}

/** Converts an optional amount. Throws VALIDATION_FAILED with the pointer if it is invalid. */
export function moneyIn(money: MoneyInput | null | undefined, pointer: string): Money | null {
  if (!money) return null
  const { amount, currency } = money
  return { amountMinor: parseAmount(amount, currency, pointer), currency }
}

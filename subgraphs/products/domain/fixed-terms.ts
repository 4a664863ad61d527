import { Decimal } from 'decimal.js'
import { maxRateDecimals, type DepositInterest } from '../../../kernel/domain/deposit-interest.ts'
import type { EarlyWithdrawalTerms, FixedTerms } from '../../../kernel/domain/fixed-terms.ts'
import { behaviorOf } from './product-class.ts'
import { isRate } from './rate.ts'
import type { Product } from '../model/product.ts'

const maxOffers = 20
const maxMonths = 120
const maxNoticeDays = 365
const maxPenaltyDays = 3650
const root = '/depositInterest/fixedTerms'

/** Returns JSON pointers to the inconsistent fixed terms of deposits; empty if there are none. */
export function fixedTermFaults(
  { fixedTerms }: DepositInterest,
  { currencies, productClass }: Pick<Product, 'currencies' | 'productClass'>,
): string[] {
  if (!fixedTerms) return []
  if (behaviorOf(productClass) !== 'term-deposit') return [root]
  const { offers, minimumAmount, maximumAmount, earlyWithdrawal } = fixedTerms
  const isInCurrency = (money: FixedTerms['minimumAmount']) =>
    money === null || (currencies.length === 1 && money.currency === currencies[0])
  const isMinimumValid =
    minimumAmount === null || (isInCurrency(minimumAmount) && minimumAmount.amountMinor > 0n)
  const isMaximumValid =
    maximumAmount === null ||
    (isInCurrency(maximumAmount) && maximumAmount.amountMinor >= (minimumAmount?.amountMinor ?? 1n))
  return [
    ...(areMonthsRising(fixedTerms) ? [] : [`${root}/offers`]),
    ...offers.flatMap(({ annualRatePct }, index) =>
      isPositiveRate(annualRatePct) ? [] : [`${root}/offers/${index}/annualRatePct`],
    ),
    ...(isMinimumValid ? [] : [`${root}/minimumAmount`]),
    ...(isMaximumValid ? [] : [`${root}/maximumAmount`]),
    ...(earlyWithdrawal ? earlyWithdrawalFaults(earlyWithdrawal) : []),
  ]
}

function earlyWithdrawalFaults(terms: EarlyWithdrawalTerms): string[] {
  const { noticeDays, penaltyDays, penaltyRatePct } = terms
  const isUpTo = (days: number, max: number) => days >= 0 && days <= max
  return [
    ...(isUpTo(noticeDays, maxNoticeDays) ? [] : [`${root}/earlyWithdrawal/noticeDays`]),
    ...(isUpTo(penaltyDays, maxPenaltyDays) ? [] : [`${root}/earlyWithdrawal/penaltyDays`]),
    ...(isPositiveRate(penaltyRatePct) ? [] : [`${root}/earlyWithdrawal/penaltyRatePct`]),
  ]
}

function areMonthsRising({ offers }: FixedTerms): boolean {
  if (offers.length === 0 || offers.length > maxOffers) return false
  return offers.every(({ months }, index) => {
    const previousMonths = index === 0 ? 0 : offers[index - 1]!.months
    return months > previousMonths && months <= maxMonths
  })
}

const isPositiveRate = (percent: string) => isRate(percent) && new Decimal(percent).gte(0)

const rules: Record<string, string> = {
  fixedTerms: 'Only term deposits can have fixed terms.',
  offers: `There must be from 1 to ${maxOffers} terms of 1 to ${maxMonths} months, in ascending order of the months.`,
  minimumAmount: 'The smallest deposit must be above zero and in the only currency of the product.',
  maximumAmount:
    'The largest deposit must not be below the smallest and must be in the only currency of the product.',
  noticeDays: `The notice must be from 0 to ${maxNoticeDays} days.`,
  penaltyDays: `The penalty must be from 0 to ${maxPenaltyDays} days of interest.`,
  annualRatePct: `The rate must be from 0 to 100 with at most ${maxRateDecimals} decimals.`,
  penaltyRatePct: `The rate must be from 0 to 100 with at most ${maxRateDecimals} decimals.`,
}

/** Returns the rule for the last part of a JSON pointer that `fixedTermFaults` returned. */
export function fixedTermRuleFor(member: string): string {
  return rules[member]!
}

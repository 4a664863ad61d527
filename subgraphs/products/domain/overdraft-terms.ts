import { Decimal } from 'decimal.js'
import { maxRateDecimals } from '../../../kernel/domain/deposit-interest.ts'
import {
  floatingOverdraftFaults,
  floatingOverdraftRules,
  type OverdraftTerms,
} from '../../../kernel/domain/overdraft.ts'
import type { Product } from '../model/product.ts'
import { isRate } from './rate.ts'
import { behaviorOf } from './product-class.ts'

const [maxNoticeDays, maxSuspendAfterDays] = [365, 3650]

/** Returns JSON pointers to the inconsistent terms of an overdraft; empty if there are none. */
export function overdraftFaults(
  terms: OverdraftTerms | null | undefined,
  { currencies, productClass }: Pick<Product, 'currencies' | 'productClass'>,
): string[] {
  if (!terms) return []
  if (behaviorOf(productClass) !== 'current-account') return ['/overdraft']
  const { interestFreeAmount, noticeDays, suspendAfterDays, floatingRate, commitmentFeePct } = terms
  const isOfProduct =
    interestFreeAmount === null ||
    (interestFreeAmount.amountMinor >= 0n &&
      currencies.length === 1 &&
      currencies[0] === interestFreeAmount.currency)
  const rates = ['annualRatePct', 'unarrangedRatePct'] as const
  return [
    ...rates.flatMap((name) =>
      isRate(terms[name]) && (floatingRate || !terms[name].startsWith('-'))
        ? []
        : [`/overdraft/${name}`],
    ),
    ...(floatingRate ? floatingOverdraftFaults(floatingRate) : []).map(
      (member) => `/overdraft/floatingRate/${member}`,
    ),
    ...(commitmentFeePct === undefined ||
    (isRate(commitmentFeePct) && new Decimal(commitmentFeePct).gt(0))
      ? []
      : ['/overdraft/commitmentFeePct']),
    ...(isOfProduct ? [] : ['/overdraft/interestFreeAmount']),
    ...(noticeDays >= 0 && noticeDays <= maxNoticeDays ? [] : ['/overdraft/noticeDays']),
    ...(suspendAfterDays === null ||
    (suspendAfterDays >= 1 && suspendAfterDays <= maxSuspendAfterDays)
      ? []
      : ['/overdraft/suspendAfterDays']),
  ]
}

const rateRule = `The rate must be from 0 to 100 with at most ${maxRateDecimals} decimals; a margin from -100 to 100.`
const rules: Record<string, string> = {
  ...floatingOverdraftRules,
  overdraft: 'Only current accounts can have overdraft terms.',
  annualRatePct: rateRule,
  unarrangedRatePct: rateRule,
  commitmentFeePct: `The fee must be above 0 and at most 100 with at most ${maxRateDecimals} decimals.`,
  interestFreeAmount:
    'The interest-free amount must not be negative, and the product must have exactly its currency.',
  noticeDays: `The days of notice must be from 0 to ${maxNoticeDays}.`,
  suspendAfterDays: `The days must be from 1 to ${maxSuspendAfterDays}.`,
}

/** Returns the rule for the last part of a JSON pointer that `overdraftFaults` returned. */
export function overdraftRuleFor(member: string): string {
  return rules[member]!
}

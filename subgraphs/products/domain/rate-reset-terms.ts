import { Decimal } from 'decimal.js'
import { idPattern } from '../../../kernel/domain/ids.ts'
import type { Product } from '../model/product.ts'
import { isRate } from './rate.ts'
import { behaviorOf, type Behavior } from './product-class.ts'

const maxLookbackDays = 31

const loans: ReadonlySet<Behavior> = new Set([
  'consumer-loan',
  'mortgage',
  'revolving-credit',
  'sme-facility',
])

/** Returns JSON pointers to the inconsistent terms of rate resets; empty if there are none. */
export function rateResetFaults({
  interest,
  productClass,
}: Pick<Product, 'interest' | 'productClass'>): string[] {
  const reset = interest?.reset
  if (!reset) return []
  const behavior = behaviorOf(productClass)
  if (behavior === null || !loans.has(behavior)) return ['/interest/reset']
  const { lookbackDays, minimumRatePct, maximumRatePct } = reset
  const isInRange = (ratePct: string) => isRate(ratePct) && !ratePct.startsWith('-')
  return [
    ...(idPattern.test(interest.referenceRate ?? '') ? [] : ['/interest/referenceRate']),
    ...(lookbackDays >= 0 && lookbackDays <= maxLookbackDays
      ? []
      : ['/interest/reset/lookbackDays']),
    ...(isInRange(minimumRatePct) ? [] : ['/interest/reset/minimumRatePct']),
    ...(maximumRatePct === null ||
    (isInRange(maximumRatePct) && new Decimal(maximumRatePct).gte(minimumRatePct))
      ? []
      : ['/interest/reset/maximumRatePct']),
  ]
}

const rules: Record<string, string> = {
  reset: 'Only loans and credit lines can follow a reference rate.',
  referenceRate: 'With reset, referenceRate must be the ID of a reference rate.',
  lookbackDays: `The days must be from 0 to ${maxLookbackDays}.`,
  minimumRatePct: 'The lowest rate must be from 0 to 100 with at most 6 decimals.',
  maximumRatePct:
    'The highest rate must be from 0 to 100 with at most 6 decimals, and not below the lowest.',
}

/** Returns the rule for the last part of a JSON pointer that `rateResetFaults` returned. */
export function rateResetRuleFor(member: string): string {
  return rules[member]!
}

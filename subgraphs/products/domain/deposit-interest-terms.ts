import { Decimal } from 'decimal.js'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import {
  maxRateDecimals,
  type DepositInterest,
  type DepositInterestTier,
} from '../../../kernel/domain/deposit-interest.ts'
import { Problem } from './problems.ts'
import { fixedTermFaults } from './fixed-terms.ts'
import { behaviorOf, type Behavior } from './product-class.ts'
import { isRate } from './rate.ts'
import type { Product } from '../model/product.ts'

const maxTiers = 20

const deposits: ReadonlySet<Behavior> = new Set([
  'current-account',
  'savings-account',
  'term-deposit',
])

/** Returns JSON pointers to the inconsistent terms of deposit interest; empty if there are none. */
export function depositInterestFaults(
  terms: DepositInterest | null | undefined,
  { currencies, productClass }: Pick<Product, 'currencies' | 'productClass'>,
): string[] {
  if (!terms) return []
  const behavior = behaviorOf(productClass)
  if (behavior === null || !deposits.has(behavior)) return ['/productClass']
  const { tiers, minimumBalance, withholdingTaxPct } = terms
  const amounts = [...tiers.map(({ upTo }) => upTo), minimumBalance].filter((each) => each !== null)
  const hasOneCurrency =
    amounts.length === 0 ||
    (currencies.length === 1 && amounts.every(({ currency }) => currency === currencies[0]))
  const tax = new Decimal(withholdingTaxPct)
  return [
    ...(hasOneCurrency ? [] : ['/depositInterest']),
    ...(areTiersRising(tiers) ? [] : ['/depositInterest/tiers']),
    ...tiers.flatMap(({ annualRatePct }, index) =>
      isRate(annualRatePct) ? [] : [`/depositInterest/tiers/${index}/annualRatePct`],
    ),
    ...floatingRateFaults(terms),
    ...fixedTermFaults(terms, { currencies, productClass }),
    ...(minimumBalance && minimumBalance.amountMinor < 0n
      ? ['/depositInterest/minimumBalance']
      : []),
    ...(tax.gte(0) && tax.lte(100) ? [] : ['/depositInterest/withholdingTaxPct']),
  ]
}

function floatingRateFaults({ floatingRate }: DepositInterest): string[] {
  if (!floatingRate) return []
  const { minimumRatePct, maximumRatePct } = floatingRate
  const isMinimumValid = minimumRatePct === null || isRate(minimumRatePct)
  const isMaximumValid =
    maximumRatePct === null ||
    (isRate(maximumRatePct) &&
      (minimumRatePct === null || new Decimal(maximumRatePct).gte(minimumRatePct)))
  return [
    ...(isMinimumValid ? [] : ['/depositInterest/floatingRate/minimumRatePct']),
    ...(isMaximumValid ? [] : ['/depositInterest/floatingRate/maximumRatePct']),
  ]
}

const rules: Record<string, string> = {
  productClass:
    'Only current accounts, savings accounts and term deposits can have deposit interest.',
  depositInterest:
    'The bounds and the minimum balance must be in one currency, and the product must have exactly this currency.',
  tiers: `There must be from 1 to ${maxTiers} tiers. The bound upTo must be above zero and increase from tier to tier; the last tier must have none.`,
  annualRatePct: `The rate must be from -100 to 100 with at most ${maxRateDecimals} decimals.`,
  minimumRatePct: `The lowest rate must be from -100 to 100 with at most ${maxRateDecimals} decimals.`,
  maximumRatePct: `The highest rate must be from -100 to 100 with at most ${maxRateDecimals} decimals, and not below the lowest.`,
  minimumBalance: 'The minimum balance must not be negative.',
  withholdingTaxPct: 'The percentage must be from 0 to 100.',
}

/** Returns the rule for the last part of a JSON pointer that `depositInterestFaults` returned. */
export function depositInterestRuleFor(member: string): string {
  return rules[member]!
}

function areTiersRising(tiers: readonly DepositInterestTier[]): boolean {
  if (tiers.length === 0 || tiers.length > maxTiers) return false
  return tiers.every(({ upTo }, index) => {
    if (index === tiers.length - 1) return upTo === null
    const previousBound = index === 0 ? 0n : tiers[index - 1]!.upTo!.amountMinor
    return upTo !== null && upTo.amountMinor > previousBound
  })
}

/**
 * Checks that a version that becomes active does not change the interest of existing accounts for
 * days that have passed. Throws INVALID_DATE_RANGE.
 */
export function requireRepricingInFuture(
  { depositInterest }: Pick<Product, 'depositInterest'>,
  today: LocalDate,
): void {
  const from = depositInterest?.existingAccountsFrom ?? null
  if (from === null || from >= today) return
  const detail = `existingAccountsFrom, ${from}, must not be before ${today}, the day on which the version becomes active.`
  const pointer = '/depositInterest/existingAccountsFrom'
  const errors = [{ pointer, code: 'INVALID_DATE_RANGE', detail }]
  throw new Problem('INVALID_DATE_RANGE', { detail, errors })
}

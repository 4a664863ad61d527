import { Decimal } from 'decimal.js'
import {
  currencyOf,
  isChargedSingly,
  moneyOf,
  thirdPartyPattern,
  type Fee,
  type FeeTier,
} from '../../../kernel/domain/fee.ts'

/** Returns JSON pointers to the inconsistent terms of a fee; empty if all are consistent. */
export function feeFaults(fee: Fee, currencies: readonly string[], pointer: string): string[] {
  const { amount, percent, tiers, waivers } = fee
  const pricingMethods = [amount !== null, percent !== null, tiers.length > 0].filter(Boolean)
  if (pricingMethods.length !== 1) return [`${pointer}/amount`]
  const hasOtherCurrency = moneyOf(fee).some(
    ({ currency }) => currency !== currencyOf(fee) || !currencies.includes(currency),
  )
  if (hasOtherCurrency || moneyOf(fee).some(({ amountMinor }) => amountMinor < 0n)) {
    return [`${pointer}/amount`]
  }
  const { minimum, maximum } = fee
  const areBoundsReversed =
    minimum !== null && maximum !== null && minimum.amountMinor > maximum.amountMinor
  return [
    ...(percent !== null && !isPercentage(percent) ? [`${pointer}/percent`] : []),
    ...(areBoundsReversed ? [`${pointer}/minimum`] : []),
    ...(areTiersValid(tiers) ? [] : [`${pointer}/tiers`]),
    ...waivers.flatMap((waiver, index) => {
      const isValid =
        waiver.kind === 'account-age'
          ? waiver.months >= 1 && waiver.months <= 1200
          : waiver.kind !== 'campaign' || waiver.from <= waiver.to
      return isValid ? [] : [`${pointer}/waivers/${index}`]
    }),
    ...singleChargeFaults(fee, pointer),
  ]
}

function singleChargeFaults(fee: Fee, pointer: string): string[] {
  const { frequency, trigger = null, thirdParty = null } = fee
  const isNamed = thirdParty !== null
  const mayBeNamed = isNamed && isChargedSingly(fee) && thirdPartyPattern.test(thirdParty)
  return [
    ...((frequency === 'on-event') === (trigger !== null) ? [] : [`${pointer}/trigger`]),
    ...(isNamed && !mayBeNamed ? [`${pointer}/thirdParty`] : []),
  ]
}

const rules: Record<string, string> = {
  amount:
    'A fee must have exactly one of amount, percent and tiers. Its amounts must not be negative and must be in one currency of the product.',
  percent: 'The percentage must be from 0 to 100.',
  minimum: 'The minimum must not be above the maximum.',
  trigger: 'A fee must have a trigger if its frequency is on-event, and only then.',
  thirdParty:
    'Only a fee that is charged on an event or on request can have a third party. Its name must have 1 to 40 lower-case letters, digits and hyphens, and must not begin with a hyphen.',
  tiers:
    'Each tier must have either an amount or a percentage from 0 to 100. The bound upTo must increase from tier to tier; the last tier must have none.',
}

/**
 * Returns the rule for the last part of a JSON pointer that `feeFaults` returned: the name of a
 * field, or the index of a waiver.
 */
export function feeRuleFor(member: string): string {
  return (
    rules[member] ??
    'The months must be from 1 to 1,200, and a campaign must not end before it begins.'
  )
}

function areTiersValid(tiers: readonly FeeTier[]): boolean {
  return tiers.every(({ upTo, amount, percent }, index) => {
    const isLast = index === tiers.length - 1
    const previousBound = index > 0 ? tiers[index - 1]!.upTo : null
    const isRising = !previousBound || !upTo || upTo.amountMinor > previousBound.amountMinor
    const isPriced = (amount === null) !== (percent === null)
    return isLast === (upTo === null) && isRising && isPriced && isPercentage(percent ?? '0')
  })
}

function isPercentage(percent: string): boolean {
  const value = new Decimal(percent)
  return value.gte(0) && value.lte(100)
}

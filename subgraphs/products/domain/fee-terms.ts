import { Decimal } from 'decimal.js'
import { currencyOf, moneyOf, type Fee, type FeeTier } from '../../_kernel/domain/fee.ts'

/** Where a fee contradicts itself or its product, as pointers. */
export function feeFaults(fee: Fee, currencies: readonly string[], pointer: string): string[] {
  const { amount, percent, tiers, waivers } = fee
  const ways = [amount !== null, percent !== null, tiers.length > 0].filter(Boolean).length
  if (ways !== 1) return [`${pointer}/amount`]
  const isForeign = moneyOf(fee).some(
    ({ currency }) => currency !== currencyOf(fee) || !currencies.includes(currency),
  )
  if (isForeign || moneyOf(fee).some(({ amountMinor }) => amountMinor < 0n)) {
    return [`${pointer}/amount`]
  }
  const { minimum, maximum } = fee
  const isCrossed =
    minimum !== null && maximum !== null && minimum.amountMinor > maximum.amountMinor
  return [
    ...(percent !== null && !isShare(percent) ? [`${pointer}/percent`] : []),
    ...(isCrossed ? [`${pointer}/minimum`] : []),
    ...(areSteps(tiers) ? [] : [`${pointer}/tiers`]),
    ...waivers.flatMap((waiver, at) => {
      const isGood =
        waiver.kind === 'account-age'
          ? waiver.months >= 1 && waiver.months <= 1200
          : waiver.kind !== 'campaign' || waiver.from <= waiver.to
      return isGood ? [] : [`${pointer}/waivers/${at}`]
    }),
  ]
}

const texts: Record<string, string> = {
  amount:
    'One of amount, percent and tiers; amounts that are not negative, all in one currency of the product.',
  percent: 'From 0 to 100.',
  minimum: 'Not above the maximum.',
  tiers: 'An amount or a percentage each, upTo rising from tier to tier, and none in the last.',
}

/** What is wanted where a pointer into a fee ends. */
export function wantedOfFee(member: string): string {
  return texts[member] ?? 'From 1 to 1,200 months; a campaign that does not end before it begins.'
}

function areSteps(tiers: readonly FeeTier[]): boolean {
  return tiers.every(({ upTo, amount, percent }, at) => {
    const isLast = at === tiers.length - 1
    const before = at > 0 ? tiers[at - 1]!.upTo : null
    const isRising = !before || !upTo || upTo.amountMinor > before.amountMinor
    const isPriced = (amount === null) !== (percent === null)
    return isLast === (upTo === null) && isRising && isPriced && isShare(percent ?? '0')
  })
}

function isShare(percent: string): boolean {
  const share = new Decimal(percent)
  return share.gte(0) && share.lte(100)
}

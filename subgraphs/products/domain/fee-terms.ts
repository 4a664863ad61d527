import { Decimal } from 'decimal.js'
import { currencyOf, moneyOf, type Fee, type FeeTier } from '../../_kernel/domain/fee.ts'

/** JSON pointers to the inconsistent terms of a fee. */
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
    'A fee must have exactly one of amount, percent and tiers. Its amounts must not be negative and must be in one currency of the product.',
  percent: 'The percentage must be from 0 to 100.',
  minimum: 'The minimum must not be above the maximum.',
  tiers:
    'Each tier must have either an amount or a percentage from 0 to 100. The bound upTo must rise from tier to tier, and the last tier has none.',
}

/** The rule for a field of a fee, named by the last part of a pointer. */
export function wantedOfFee(member: string): string {
  return (
    texts[member] ??
    'The months must be from 1 to 1,200, and a campaign must not end before it begins.'
  )
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

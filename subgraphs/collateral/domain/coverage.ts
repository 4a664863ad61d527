import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { percentOf, shareUp } from './percent.ts'

/** What covers one facility: how much of each collateral, in minor units. */
export interface Coverage {
  facilityId: string
  currency: string
  parts: Readonly<Record<string, bigint>>
  /** The sum of the parts. */
  allocatedMinor: bigint
  /** It was told that there is too little, and there is still. */
  isShort: boolean
  version: number
}

/** What must cover a facility as it is now, in minor units, rounded up; nothing when nothing is required. */
export function requiredMinor(outstandingMinor: bigint, requiredPct: string | null): bigint {
  const percent = requiredPct === null ? 0n : percentOf(requiredPct)
  return outstandingMinor > 0n && percent > 0n ? shareUp(outstandingMinor, percent) : 0n
}

/** A coverage in which one collateral is good for another amount. */
export function withPart(before: Coverage, collateralId: string, amountMinor: bigint): Coverage {
  const { [collateralId]: _, ...others } = before.parts
  const parts = amountMinor > 0n ? { ...others, [collateralId]: amountMinor } : others
  const allocatedMinor = Object.values(parts).reduce((sum, part) => sum + part, 0n)
  return { ...before, parts, allocatedMinor }
}

/** A coverage that knows whether it is too little, and what is to be told of that: each shortage once, and its end. */
export function settle(
  coverage: Coverage,
  required: bigint,
): { coverage: Coverage; news: 'margin-call' | 'margin-call-met' | null } {
  const isShort = coverage.allocatedMinor < required
  if (isShort === coverage.isShort) return { coverage, news: null }
  const news = isShort ? 'margin-call' : 'margin-call-met'
  return { coverage: { ...coverage, isShort }, news }
}

/**
 * Refuses with INSUFFICIENT_COLLATERAL to give up what a facility needs. One that has too little
 * already is not made to have less.
 */
export function requireCovered(before: Coverage, after: Coverage, required: bigint): void {
  const isLess = after.allocatedMinor < before.allocatedMinor
  if (!isLess || after.allocatedMinor >= required) return
  const { facilityId, currency } = after
  const left = formatAmount(after.allocatedMinor, currency)
  const needed = formatAmount(required, currency)
  throw new Problem('INSUFFICIENT_COLLATERAL', {
    detail: `${facilityId} needs ${needed} ${currency} of collateral and would have ${left}.`,
    facilityId,
  })
}

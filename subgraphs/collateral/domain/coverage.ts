import { formatAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { percentOf, shareUp } from './percent.ts'

/** The coverage of one facility: the amount from each collateral, in minor units. */
export interface Coverage {
  facilityId: string
  currency: string
  parts: Readonly<Record<string, bigint>>
  /** The sum of the parts. */
  allocatedMinor: bigint
  /** Whether a margin call was emitted and is not met yet. */
  isShort: boolean
  version: number
}

/** The required coverage of a facility in minor units, rounded up; 0 if none is required. */
export function requiredMinor(outstandingMinor: bigint, requiredPct: string | null): bigint {
  const percent = requiredPct === null ? 0n : percentOf(requiredPct)
  return outstandingMinor > 0n && percent > 0n ? shareUp(outstandingMinor, percent) : 0n
}

/** Sets the amount that one collateral contributes. */
export function withPart(before: Coverage, collateralId: string, amountMinor: bigint): Coverage {
  const { [collateralId]: _, ...others } = before.parts
  const parts = amountMinor > 0n ? { ...others, [collateralId]: amountMinor } : others
  const allocatedMinor = Object.values(parts).reduce((sum, part) => sum + part, 0n)
  return { ...before, parts, allocatedMinor }
}

/** Updates whether a coverage is short, and returns the event to emit when that changed. */
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
 * Throws INSUFFICIENT_COLLATERAL if a change would leave a facility with less coverage than it
 * requires, including one that is short already.
 */
export function requireCovered(before: Coverage, after: Coverage, required: bigint): void {
  const isLess = after.allocatedMinor < before.allocatedMinor
  if (!isLess || after.allocatedMinor >= required) return
  const { facilityId, currency } = after
  const left = formatAmount(after.allocatedMinor, currency)
  const needed = formatAmount(required, currency)
  throw new Problem('INSUFFICIENT_COLLATERAL', {
    detail: `${facilityId} requires ${needed} ${currency} of coverage and would have ${left}.`,
    facilityId,
  })
}

import { formatAmount } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import { percentOf, shareUp } from './percent.ts'

/** The coverage of one facility: the amount from each collateral, in minor units. */
export interface Coverage {
  facilityId: string
  currency: string
  /** The amount by collateral ID. */
  parts: Readonly<Record<string, bigint>>
  /** The sum of the parts. */
  allocatedMinor: bigint
  /** Whether a margin call was emitted and is not yet met. */
  isShort: boolean
  version: number
}

/**
 * Returns the required coverage of a facility in minor units, rounded up; 0 if none is required.
 */
export function requiredMinor(outstandingMinor: bigint, requiredPct: string | null): bigint {
  const percent = requiredPct === null ? 0n : percentOf(requiredPct)
  return outstandingMinor > 0n && percent > 0n ? shareUp(outstandingMinor, percent) : 0n
}

/** Sets the amount that one collateral record contributes to the coverage. */
export function withPart(before: Coverage, collateralId: string, amountMinor: bigint): Coverage {
  const { [collateralId]: _, ...others } = before.parts
  const parts = amountMinor > 0n ? { ...others, [collateralId]: amountMinor } : others
  const allocatedMinor = Object.values(parts).reduce((sum, part) => sum + part, 0n)
  return { ...before, parts, allocatedMinor }
}

/** Updates `isShort`, and returns in `news` the event to emit; null if `isShort` is unchanged. */
export function updateShortfall(
  coverage: Coverage,
  requiredAmountMinor: bigint,
): { coverage: Coverage; news: 'margin-call' | 'margin-call-met' | null } {
  const isShort = coverage.allocatedMinor < requiredAmountMinor
  if (isShort === coverage.isShort) return { coverage, news: null }
  const news = isShort ? 'margin-call' : 'margin-call-met'
  return { coverage: { ...coverage, isShort }, news }
}

/**
 * Checks a voluntary change of coverage. Throws INSUFFICIENT_COLLATERAL if the change reduces the
 * coverage of a facility below the required amount, or reduces coverage that is already
 * insufficient.
 */
export function requireCovered(
  before: Coverage,
  after: Coverage,
  requiredAmountMinor: bigint,
): void {
  const isLess = after.allocatedMinor < before.allocatedMinor
  if (!isLess || after.allocatedMinor >= requiredAmountMinor) return
  const { facilityId, currency } = after
  const remaining = formatAmount(after.allocatedMinor, currency)
  const requiredAmount = formatAmount(requiredAmountMinor, currency)
  throw new Problem('INSUFFICIENT_COLLATERAL', {
    detail: `${facilityId} requires ${requiredAmount} ${currency} of coverage and would have ${remaining}.`,
    facilityId,
  })
}

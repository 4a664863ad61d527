import type { Collateral } from './collateral.ts'
import { hasEnded } from './states.ts'

export const collateralRequirements = ['owner', 'valuation', 'perfection', 'allocation'] as const
/** What a collateral can lack before it counts as coverage. */
export type CollateralRequirement = (typeof collateralRequirements)[number]

/**
 * What must be supplied before a collateral counts as coverage; empty when nothing is, and in a
 * final status. A collateral that was created as `active` counts without a recorded perfection: the
 * status states that it is perfected.
 */
export function missingFrom(collateral: Collateral): CollateralRequirement[] {
  const { status, owners, valuation, allocations } = collateral
  if (hasEnded(status)) return []
  const isLacking: Record<CollateralRequirement, boolean> = {
    owner: owners.length === 0,
    valuation: valuation === null,
    perfection: status === 'proposed' || status === 'valued',
    allocation: allocations.length === 0,
  }
  return collateralRequirements.filter((each) => isLacking[each])
}

import { CollateralRequirement } from '../model/enumerations.ts'
import type { Collateral } from '../model/collateral.ts'
import { hasEnded } from './states.ts'

/**
 * Returns the requirements that collateral does not meet; always empty in a final status.
 * Collateral that was created as `active` needs no recorded perfection, because this status means
 * that the security interest is perfected.
 */
export function unmetRequirements(collateral: Collateral): CollateralRequirement[] {
  const { status, owners, valuation, allocations } = collateral
  if (hasEnded(status)) return []
  const isMissing: Record<CollateralRequirement, boolean> = {
    owner: owners.length === 0,
    valuation: valuation === null,
    perfection: status === 'proposed' || status === 'valued',
    allocation: allocations.length === 0,
  }
  return CollateralRequirement.values.filter((each) => isMissing[each])
}

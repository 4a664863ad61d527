import { allocate } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { percentOf, shareDown } from './percent.ts'

/**
 * The requested allocation of a collateral to one facility: an amount, or a percentage of the
 * lendable value.
 */
export interface Allocation {
  facilityId: string
  /** Lower ranks are satisfied first; allocations of the same rank share pro rata. */
  rank: number
  amountMinor: bigint | null
  /** Percentage of the lendable value; null if an amount is given. */
  pct: string | null
}

function claimOf({ amountMinor, pct }: Allocation, lendableMinor: bigint): bigint {
  return amountMinor ?? shareDown(lendableMinor, percentOf(pct!))
}

/** The sum of the requested allocations, in minor units. */
function claimedMinor(allocations: readonly Allocation[], lendableMinor: bigint): bigint {
  return allocations.reduce((sum, each) => sum + claimOf(each, lendableMinor), 0n)
}

/**
 * Distributes a lendable value among facilities, in minor units. Ranks are satisfied in order; if
 * the rest does not suffice for a whole rank, its facilities share it in proportion to their
 * claims. The total never exceeds the lendable value.
 */
export function allocatedMinor(
  allocations: readonly Allocation[],
  lendableMinor: bigint,
): Map<string, bigint> {
  const byFacility = new Map<string, bigint>()
  let left = lendableMinor
  for (const rank of [...new Set(allocations.map((each) => each.rank))].sort((a, b) => a - b)) {
    const peers = allocations.filter((each) => each.rank === rank)
    const claims = peers.map((each) => claimOf(each, lendableMinor))
    const total = claims.reduce((sum, claim) => sum + claim, 0n)
    const given = total > left ? allocate(left, claims) : claims
    peers.forEach(({ facilityId }, at) => byFacility.set(facilityId, given[at]!))
    left -= total > left ? left : total
  }
  return byFacility
}

/** Throws OVER_ALLOCATED if the requested allocations exceed the lendable value. */
export function requireNotOverAllocated(
  allocations: readonly Allocation[],
  lendableMinor: bigint,
  pointer: string,
  format: (amountMinor: bigint) => string,
): void {
  const claimed = claimedMinor(allocations, lendableMinor)
  if (claimed <= lendableMinor) return
  const detail =
    `The allocations add up to ${format(claimed)}; the lendable value is ` +
    `${format(lendableMinor)}.`
  throw new Problem('OVER_ALLOCATED', {
    detail,
    errors: [{ pointer, code: 'OVER_ALLOCATED', detail }],
  })
}

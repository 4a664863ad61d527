import { allocate } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { percentOf, shareDown } from './percent.ts'

/** What a collateral is to be good for towards one facility: an amount, or so much of what may be lent. */
export interface Allocation {
  facilityId: string
  /** Who is satisfied first; those of one rank share. */
  rank: number
  amountMinor: bigint | null
  /** Percent of the lendable value, when there is no amount. */
  pct: string | null
}

function claimOf({ amountMinor, pct }: Allocation, lendableMinor: bigint): bigint {
  return amountMinor ?? shareDown(lendableMinor, percentOf(pct!))
}

/** What all allocations together come to, in minor units. */
function claimedMinor(allocations: readonly Allocation[], lendableMinor: bigint): bigint {
  return allocations.reduce((sum, each) => sum + claimOf(each, lendableMinor), 0n)
}

/**
 * What each facility gets of a lendable value, in minor units. Ranks are satisfied one after the
 * other; where there is not enough for all of one rank, they share it by what they claim. The whole
 * is never more than the lendable value.
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

/** Refuses with OVER_ALLOCATED when more is claimed than the collateral is good for; says how much is. */
export function requireNotOverAllocated(
  allocations: readonly Allocation[],
  lendableMinor: bigint,
  pointer: string,
  format: (amountMinor: bigint) => string,
): void {
  const claimed = claimedMinor(allocations, lendableMinor)
  if (claimed <= lendableMinor) return
  const detail = `${format(claimed)} would be allocated of ${format(lendableMinor)}.`
  throw new Problem('OVER_ALLOCATED', {
    detail,
    errors: [{ pointer, code: 'OVER_ALLOCATED', detail }],
  })
}

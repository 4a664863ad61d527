import { allocate } from '../../../kernel/domain/money.ts'
import { Problem } from './problems.ts'
import { percentOf, shareDown } from './percent.ts'

/**
 * The requested allocation of collateral to one facility: an amount, or a percentage of the
 * lendable value.
 */
export interface Allocation {
  facilityId: string
  /** The rank. Lower ranks are satisfied first; allocations of the same rank share pro rata. */
  rank: number
  /** The requested amount in minor units; null if a percentage was requested. */
  amountMinor: bigint | null
  /** The requested percentage of the lendable value; null if an amount was requested. */
  pct: string | null
}

function claimOf({ amountMinor, pct }: Allocation, lendableMinor: bigint): bigint {
  return amountMinor ?? shareDown(lendableMinor, percentOf(pct!))
}

/** Returns the sum of the requested allocations, in minor units. */
function claimedMinor(allocations: readonly Allocation[], lendableMinor: bigint): bigint {
  return allocations.reduce((sum, each) => sum + claimOf(each, lendableMinor), 0n)
}

/**
 * Distributes a lendable value among facilities, in minor units. Ranks are satisfied in order. If
 * the remaining value does not cover a rank, the facilities of this rank share it in proportion to
 * their requested allocations. The total never exceeds the lendable value.
 */
export function distributeLendableValue(
  allocations: readonly Allocation[],
  lendableMinor: bigint,
): Map<string, bigint> {
  const byFacility = new Map<string, bigint>()
  let remainingMinor = lendableMinor
  for (const rank of [...new Set(allocations.map((each) => each.rank))].sort((a, b) => a - b)) {
    const peers = allocations.filter((each) => each.rank === rank)
    const claims = peers.map((each) => claimOf(each, lendableMinor))
    const total = claims.reduce((sum, claim) => sum + claim, 0n)
    const shares = total > remainingMinor ? allocate(remainingMinor, claims) : claims
    peers.forEach(({ facilityId }, index) => byFacility.set(facilityId, shares[index]!))
    remainingMinor -= total > remainingMinor ? remainingMinor : total
  }
  return byFacility
}

/** Checks that the allocations do not exceed the lendable value. Throws OVER_ALLOCATED. */
export function requireNotOverAllocated(
  allocations: readonly Allocation[],
  lendableMinor: bigint,
  pointer: string,
  format: (amountMinor: bigint) => string,
): void {
  const claimedTotal = claimedMinor(allocations, lendableMinor)
  if (claimedTotal <= lendableMinor) return
  const detail =
    `The allocations add up to ${format(claimedTotal)}; the lendable value is ` +
    `${format(lendableMinor)}.`
  throw new Problem('OVER_ALLOCATED', {
    detail,
    errors: [{ pointer, code: 'OVER_ALLOCATED', detail }],
  })
}

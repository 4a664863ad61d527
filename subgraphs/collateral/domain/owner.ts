import { Problem } from '../../_kernel/domain/problem.ts'
import { hundredPercent, percentOf, requirePercent } from './percent.ts'
import { invalid } from './refusals.ts'

/** An owner and the share owned, in percent. */
export interface Owner {
  partyId: string
  sharePct: string
}

export interface OwnerAsked {
  partyId: string
  sharePct?: string | null
}

/**
 * Makes the borrower of a facility the owner of a collateral that has none. Returns the collateral
 * unchanged if it has an owner, or if the facility has no borrower.
 */
export function ownedByDefault<Owned extends { owners: readonly Owner[] }>(
  collateral: Owned,
  borrowerId: string | null,
): Owned {
  if (borrowerId === null || collateral.owners.length > 0) return collateral
  return { ...collateral, owners: [{ partyId: borrowerId, sharePct: '100' }] }
}

const mostOwners = 50

/**
 * Validates the owners of a collateral. A single owner without a share owns 100 percent.
 * Throws OWNERSHIP_EXCEEDS_100, and VALIDATION_FAILED for a missing or invalid share, a duplicate,
 * and more than 50 owners.
 */
export function ownersOf(asked: readonly OwnerAsked[]): Owner[] {
  if (asked.length > mostOwners) {
    throw invalid('/owners', 'TOO_MANY', `A collateral can have at most ${mostOwners} owners.`)
  }
  const owners = asked.map(({ partyId, sharePct }, at) => {
    const pointer = `/owners/${at}/sharePct`
    if (asked.findIndex((each) => each.partyId === partyId) < at) {
      const detail = `${partyId} is listed twice; list each owner once.`
      throw invalid(`/owners/${at}/partyId`, 'DUPLICATE', detail)
    }
    const share = sharePct ?? (asked.length === 1 ? '100' : null)
    if (share === null) {
      throw invalid(pointer, 'REQUIRED', 'With several owners, each needs a sharePct.')
    }
    return { partyId, sharePct: requirePercent(share, pointer, 'some') }
  })
  const total = owners.reduce((sum, { sharePct }) => sum + percentOf(sharePct), 0n)
  if (total <= hundredPercent) return owners
  const code = 'OWNERSHIP_EXCEEDS_100'
  const detail = 'The shares of the owners add up to more than 100 percent.'
  throw new Problem(code, { detail, errors: [{ pointer: '/owners', code, detail }] })
}

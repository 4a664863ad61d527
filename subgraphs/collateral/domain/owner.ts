import type { OwnerRequest } from '../model/collateral-inputs.ts'
import { Problem } from './problems.ts'
import { hundredPercent, percentOf, requirePercent } from './percent.ts'
import { invalid } from './refusals.ts'

/** An owner and the share that the owner holds, in percent. */
export interface Owner {
  partyId: string
  sharePct: string
}

/**
 * Sets the borrower of a facility as the owner of collateral that has no owner. The collateral is
 * returned unchanged if it has an owner or if the facility has no borrower.
 */
export function withDefaultOwner<Owned extends { owners: readonly Owner[] }>(
  collateral: Owned,
  borrowerId: string | null,
): Owned {
  if (borrowerId === null || collateral.owners.length > 0) return collateral
  return { ...collateral, owners: [{ partyId: borrowerId, sharePct: '100' }] }
}

const maxOwners = 50

/**
 * Validates the owners of collateral. A single owner without a share owns 100 percent.
 * Throws OWNERSHIP_EXCEEDS_100, and VALIDATION_FAILED for a missing or invalid share, a duplicate,
 * and more than 50 owners.
 */
export function ownersOf(request: readonly OwnerRequest[]): Owner[] {
  if (request.length > maxOwners) {
    throw invalid('/owners', 'TOO_MANY', `The collateral can have at most ${maxOwners} owners.`)
  }
  const owners = request.map(({ partyId, sharePct }, index) => {
    const pointer = `/owners/${index}/sharePct`
    if (request.findIndex((each) => each.partyId === partyId) < index) {
      const detail = `${partyId} is listed twice; list each owner once.`
      throw invalid(`/owners/${index}/partyId`, 'DUPLICATE', detail)
    }
    const share = sharePct ?? (request.length === 1 ? '100' : null)
    if (share === null) {
      throw invalid(pointer, 'REQUIRED', 'If there are several owners, each must have a sharePct.')
    }
    return { partyId, sharePct: requirePercent(share, pointer, 'some') }
  })
  const total = owners.reduce((sum, { sharePct }) => sum + percentOf(sharePct), 0n)
  if (total <= hundredPercent) return owners
  const code = 'OWNERSHIP_EXCEEDS_100'
  const detail = 'The shares of the owners add up to more than 100 percent.'
  throw new Problem(code, { detail, errors: [{ pointer: '/owners', code, detail }] })
}

import { Problem } from '../../_kernel/domain/problem.ts'
import { hundredPercent, percentOf, requirePercent } from './percent.ts'
import { invalid } from './refusals.ts'

/** Whose it is, and how much of it, in percent. */
export interface Owner {
  partyId: string
  sharePct: string
}

export interface OwnerAsked {
  partyId: string
  sharePct?: string | null
}

const mostOwners = 50

/**
 * The owners of a collateral. A single one without a share owns all of it.
 * Refuses with OWNERSHIP_EXCEEDS_100, VALIDATION_FAILED (a share missing or out of range, an owner twice, too many).
 */
export function ownersOf(asked: readonly OwnerAsked[]): Owner[] {
  if (asked.length > mostOwners) throw invalid('/owners', 'TOO_MANY', `At most ${mostOwners}.`)
  const owners = asked.map(({ partyId, sharePct }, at) => {
    const pointer = `/owners/${at}/sharePct`
    if (asked.findIndex((each) => each.partyId === partyId) < at) {
      throw invalid(`/owners/${at}/partyId`, 'DUPLICATE', 'Each owner once.')
    }
    const share = sharePct ?? (asked.length === 1 ? '100' : null)
    if (share === null) throw invalid(pointer, 'REQUIRED', 'Each of several owners has a share.')
    return { partyId, sharePct: requirePercent(share, pointer, 'some') }
  })
  const total = owners.reduce((sum, { sharePct }) => sum + percentOf(sharePct), 0n)
  if (total <= hundredPercent) return owners
  const code = 'OWNERSHIP_EXCEEDS_100'
  const detail = 'The shares come to more than 100 percent.'
  throw new Problem(code, { detail, errors: [{ pointer: '/owners', code, detail }] })
}

import type { LocalDate } from '../../_kernel/domain/dates.ts'
import {
  holdsOn,
  includes,
  type EntitlementRight,
  type Grant,
} from '../../_kernel/domain/entitlement.ts'
import type { Money } from '../../_kernel/domain/money.ts'
import { Problem, type ProblemCode } from '../../_kernel/domain/problem.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'

export const entitlementStatuses = ['active', 'revoked'] as const
export type EntitlementStatus = (typeof entitlementStatuses)[number]

export const entitlementMoves: Transitions<EntitlementStatus> = { active: ['revoked'], revoked: [] }

/** What one party lets another do with an account or an agreement of theirs. */
export interface Entitlement extends Versioned {
  entitlementId: string
  grantorPartyId: string
  granteePartyId: string
  resource: string
  right: EntitlementRight
  limitMinor: bigint | null
  limitCurrency: string | null
  /** The last day it holds; null when it is open-ended. */
  validTo: LocalDate | null
  status: EntitlementStatus
}

export interface EntitlementAsked {
  grantorPartyId: string
  granteePartyId: string
  resource: string
  right: EntitlementRight
  limit: Money | null
  validTo: LocalDate | null
}

/** What can be entitled to, by the first part of its subject. */
export type Resource = { entity: 'arrangement' | 'agreement'; id: string }

/** The record a resource names. Refuses with VALIDATION_FAILED what is no account and no agreement. */
export function resourceOf(resource: string): Resource {
  const parts = /^(arrangement|agreement)\/([A-Za-z0-9._:~-]{1,64})$/.exec(resource)
  if (parts) return { entity: parts[1] as Resource['entity'], id: parts[2]! }
  throw invalid('/resource', 'One of arrangement/<id> and agreement/<id>.')
}

/** The resource that a filter names; null without a filter. Throws VALIDATION_FAILED as `resourceOf`. */
export function filterResource(sent: string | null | undefined): string | null {
  if (sent === null || sent === undefined) return null
  resourceOf(sent)
  return sent
}

/** The currency of the account an entitlement is to; null where it is to none. */
export type AccountCurrency = string | null

/**
 * A new entitlement. Refuses with VALIDATION_FAILED (to oneself, a transfer from an agreement, a
 * limit on looking), INVALID_AMOUNT, CURRENCY_MISMATCH, INVALID_DATE_RANGE.
 */
export function newEntitlement(
  asked: EntitlementAsked,
  accountCurrency: AccountCurrency,
  today: LocalDate,
  made: Versioned & { entitlementId: string },
): Entitlement {
  const { limit, ...rest } = asked
  if (asked.grantorPartyId === asked.granteePartyId) {
    throw invalid('/granteePartyId', 'Nobody needs to be entitled to what is their own.')
  }
  if (asked.right === 'transfer' && accountCurrency === null) {
    throw invalid('/right', 'There is no money on an agreement.')
  }
  if (limit) requireLimit(asked.right, limit, accountCurrency)
  if (asked.validTo !== null && asked.validTo < today) {
    throw refused('INVALID_DATE_RANGE', '/validTo', 'The last day has passed.')
  }
  return {
    ...rest,
    ...made,
    limitMinor: limit?.amountMinor ?? null,
    limitCurrency: limit?.currency ?? null,
    status: 'active',
  }
}

function requireLimit(right: EntitlementRight, limit: Money, currency: AccountCurrency): void {
  if (!includes(right, 'transfer') || currency === null) {
    throw invalid('/limit', 'A limit is one of transfers.')
  }
  if (limit.amountMinor <= 0n)
    throw refused('INVALID_AMOUNT', '/limit/amount', 'More than nothing.')
  if (limit.currency !== currency) {
    throw refused('CURRENCY_MISMATCH', '/limit/currency', `The account is in ${currency}.`)
  }
}

/** Takes an entitlement back. Refuses with INVALID_STATE_TRANSITION. */
export function revokeEntitlement(entitlement: Entitlement): Entitlement {
  requireMove(entitlementMoves, entitlement.status, 'revoked', entitlement.entitlementId)
  return { ...entitlement, status: 'revoked' }
}

/** An entitlement as others decide on it. */
export function grantOf(entitlement: Entitlement): Grant {
  const { entitlementId, grantorPartyId, resource, right, validTo } = entitlement
  const { limitMinor, limitCurrency } = entitlement
  const limit =
    limitMinor === null ? null : { amountMinor: limitMinor.toString(), currency: limitCurrency! }
  const grantedAt = entitlement.createdAt.toISOString()
  return { entitlementId, grantorPartyId, resource, right, limit, validTo, grantedAt }
}

/** One rule that was looked at, and whether it allows. */
export interface Reason {
  rule: 'owner' | 'entitlement' | 'nothing-granted'
  allows: boolean
  detail: string
  entitlementId: string | null
}

/** Why a party may or may not: its own record, each entitlement to it, or that there is none. */
export function explain(
  partyId: string,
  owner: string | null,
  resource: string,
  right: EntitlementRight,
  entitlements: readonly Entitlement[],
  today: LocalDate,
): Reason[] {
  const isOwner = owner === partyId
  const whose = isOwner ? `${resource} is their own.` : `${resource} is not their own.`
  const own: Reason = { rule: 'owner', allows: isOwner, detail: whose, entitlementId: null }
  if (isOwner) return [own]
  if (entitlements.length > 0)
    return [own, ...entitlements.map((each) => reasonOf(each, right, today))]
  const detail = `Nobody entitled ${partyId} to ${resource}.`
  return [own, { rule: 'nothing-granted', allows: false, detail, entitlementId: null }]
}

function reasonOf(entitlement: Entitlement, right: EntitlementRight, today: LocalDate): Reason {
  const { entitlementId, grantorPartyId, status, validTo } = entitlement
  const reason = (allows: boolean, detail: string): Reason => ({
    rule: 'entitlement',
    allows,
    detail,
    entitlementId,
  })
  const given = `${grantorPartyId} granted ${entitlement.right}`
  if (status === 'revoked') return reason(false, `${given}, and it was revoked.`)
  if (!holdsOn(entitlement, today)) return reason(false, `${given}, until ${validTo}.`)
  if (!includes(entitlement.right, right)) {
    return reason(false, `${given}, which does not include ${right}.`)
  }
  return reason(
    true,
    entitlement.right === right ? `${given}.` : `${given}, which includes ${right}.`,
  )
}

function refused(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer, code: 'INVALID', detail }],
  })
}

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

/** A right of the grantee to an account or an agreement of the grantor. */
export interface Entitlement extends Versioned {
  entitlementId: string
  grantorPartyId: string
  granteePartyId: string
  resource: string
  right: EntitlementRight
  limitMinor: bigint | null
  limitCurrency: string | null
  /** The last day on which the entitlement applies; null when it is open-ended. */
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

/** A record to which rights can be granted. */
export type Resource = { entity: 'arrangement' | 'agreement'; id: string }

/** Parses `arrangement/<id>` or `agreement/<id>`. Rejects with VALIDATION_FAILED any other text. */
export function resourceOf(resource: string): Resource {
  const parts = /^(arrangement|agreement)\/([A-Za-z0-9._:~-]{1,64})$/.exec(resource)
  if (parts) return { entity: parts[1] as Resource['entity'], id: parts[2]! }
  throw invalid('/resource', 'The resource must be arrangement/<id> or agreement/<id>.')
}

/** The resource that a filter names; null without a filter. Throws VALIDATION_FAILED as `resourceOf`. */
export function filterResource(sent: string | null | undefined): string | null {
  if (sent === null || sent === undefined) return null
  resourceOf(sent)
  return sent
}

/** The currency of the account to which a right is granted; null for an agreement. */
export type AccountCurrency = string | null

/**
 * A new entitlement. Rejects with VALIDATION_FAILED (the grantee is the grantor, a transfer right
 * on an agreement, a limit without a transfer right), INVALID_AMOUNT, CURRENCY_MISMATCH,
 * INVALID_DATE_RANGE.
 */
export function newEntitlement(
  asked: EntitlementAsked,
  accountCurrency: AccountCurrency,
  today: LocalDate,
  made: Versioned & { entitlementId: string },
): Entitlement {
  const { limit, ...rest } = asked
  if (asked.grantorPartyId === asked.granteePartyId) {
    throw invalid('/granteePartyId', 'The grantee must be another party than the grantor.')
  }
  if (asked.right === 'transfer' && accountCurrency === null) {
    throw invalid(
      '/right',
      'The right to transfer can be granted on an account only, not on an agreement.',
    )
  }
  if (limit) requireLimit(asked.right, limit, accountCurrency)
  if (asked.validTo !== null && asked.validTo < today) {
    throw refused(
      'INVALID_DATE_RANGE',
      '/validTo',
      `The last day, ${asked.validTo}, must not be before today, ${today}.`,
    )
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
    throw invalid(
      '/limit',
      'A limit can be set only with the right to transfer or to manage an account.',
    )
  }
  if (limit.amountMinor <= 0n)
    throw refused('INVALID_AMOUNT', '/limit/amount', 'The limit must be greater than zero.')
  if (limit.currency !== currency) {
    throw refused(
      'CURRENCY_MISMATCH',
      '/limit/currency',
      `The limit must be in ${currency}, the currency of the account.`,
    )
  }
}

/** Revokes an entitlement. Rejects with INVALID_STATE_TRANSITION. */
export function revokeEntitlement(entitlement: Entitlement): Entitlement {
  requireMove(entitlementMoves, entitlement.status, 'revoked', entitlement.entitlementId)
  return { ...entitlement, status: 'revoked' }
}

/** The published form of an entitlement, on which other areas decide. */
export function grantOf(entitlement: Entitlement): Grant {
  const { entitlementId, grantorPartyId, resource, right, validTo } = entitlement
  const { limitMinor, limitCurrency } = entitlement
  const limit =
    limitMinor === null ? null : { amountMinor: limitMinor.toString(), currency: limitCurrency! }
  const grantedAt = entitlement.createdAt.toISOString()
  return { entitlementId, grantorPartyId, resource, right, limit, validTo, grantedAt }
}

/** A rule that was evaluated, and whether it allows the access. */
export interface Reason {
  rule: 'owner' | 'entitlement' | 'nothing-granted'
  allows: boolean
  detail: string
  entitlementId: string | null
}

/**
 * The rules in the order of evaluation: ownership, then each entitlement, or that there is none.
 */
export function explain(
  partyId: string,
  owner: string | null,
  resource: string,
  right: EntitlementRight,
  entitlements: readonly Entitlement[],
  today: LocalDate,
): Reason[] {
  const isOwner = owner === partyId
  const whose = isOwner ? `${partyId} owns ${resource}.` : `${partyId} does not own ${resource}.`
  const own: Reason = { rule: 'owner', allows: isOwner, detail: whose, entitlementId: null }
  if (isOwner) return [own]
  if (entitlements.length > 0)
    return [own, ...entitlements.map((each) => reasonOf(each, right, today))]
  const detail = `${partyId} has no entitlement to ${resource}.`
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
  if (status === 'revoked') return reason(false, `${given}, which was revoked.`)
  if (!holdsOn(entitlement, today))
    return reason(false, `${given}, which expired after ${validTo}.`)
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

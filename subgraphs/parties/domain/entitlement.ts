import type { Entitlement, Reason } from '../model/entitlement.ts'
import type { LocalDate } from '../../../kernel/domain/dates.ts'
import {
  isValidOn,
  rightIncludes,
  type EntitlementRight,
  type Grant,
} from '../../../kernel/domain/entitlement.ts'
import type { Money } from '../../../kernel/domain/money.ts'
import { type ProblemCode } from '../../../kernel/domain/problem.ts'
import { Problem } from './problems.ts'
import type { Versioned } from '../../../kernel/domain/versioned.ts'

export interface EntitlementRequest {
  grantorPartyId: string
  granteePartyId: string
  resource: string
  right: EntitlementRight
  limit: Money | null
  validTo: LocalDate | null
}

/** A record to which rights can be granted. */
export type Resource = { entity: 'arrangement' | 'agreement'; id: string }

/** Parses `arrangement/<id>` or `agreement/<id>`. Throws VALIDATION_FAILED for any other text. */
export function resourceOf(resource: string): Resource {
  const parts = /^(arrangement|agreement)\/([A-Za-z0-9._:~-]{1,64})$/.exec(resource)
  if (parts) return { entity: parts[1] as Resource['entity'], id: parts[2]! }
  throw validationProblem('/resource', 'The resource must be arrangement/<id> or agreement/<id>.')
}

/** Checks and returns the resource of a filter; null if it has none. Throws VALIDATION_FAILED. */
export function filterResource(resource: string | null | undefined): string | null {
  if (resource === null || resource === undefined) return null
  resourceOf(resource)
  return resource
}

/** The currency of the account to which a right is granted; null for an agreement. */
export type AccountCurrency = string | null

/**
 * Creates an entitlement. Throws INVALID_AMOUNT, CURRENCY_MISMATCH, INVALID_DATE_RANGE, and
 * VALIDATION_FAILED if the grantee is the grantor, if the right to transfer is granted on an
 * agreement, or if a limit is set on a right that does not include transfers from an account.
 */
export function newEntitlement(
  request: EntitlementRequest,
  accountCurrency: AccountCurrency,
  today: LocalDate,
  stamp: Versioned & { entitlementId: string },
): Entitlement {
  const { limit, ...rest } = request
  if (request.grantorPartyId === request.granteePartyId) {
    throw validationProblem(
      '/granteePartyId',
      'The grantee and the grantor must be different parties.',
    )
  }
  if (request.right === 'transfer' && accountCurrency === null) {
    throw validationProblem(
      '/right',
      'The right to transfer can be granted only on an account, not on an agreement.',
    )
  }
  if (limit) requireLimit(request.right, limit, accountCurrency)
  if (request.validTo !== null && request.validTo < today) {
    throw problemAt(
      'INVALID_DATE_RANGE',
      '/validTo',
      `The last day (${request.validTo}) must not be before today (${today}).`,
    )
  }
  return {
    ...rest,
    ...stamp,
    limitMinor: limit?.amountMinor ?? null,
    limitCurrency: limit?.currency ?? null,
    isHolder: false,
    removalProposedAt: null,
    removalProposedBy: null,
    status: 'active',
  }
}

/** Creates the entitlement of a joint holder, who sees, pays from and manages the account. */
export function newHolder(
  {
    grantorPartyId,
    granteePartyId,
    resource,
  }: Omit<EntitlementRequest, 'right' | 'limit' | 'validTo'>,
  currency: AccountCurrency,
  today: LocalDate,
  stamp: Versioned & { entitlementId: string },
): Entitlement {
  const rights = { right: 'manage', limit: null, validTo: null } as const
  const request = { grantorPartyId, granteePartyId, resource, ...rights }
  return { ...newEntitlement(request, currency, today, stamp), isHolder: true }
}

function requireLimit(right: EntitlementRight, limit: Money, currency: AccountCurrency): void {
  if (!rightIncludes(right, 'transfer') || currency === null) {
    throw validationProblem(
      '/limit',
      'A limit can be set only with the right to transfer or to manage an account.',
    )
  }
  if (limit.amountMinor <= 0n)
    throw problemAt('INVALID_AMOUNT', '/limit/amount', 'The limit must be greater than zero.')
  if (limit.currency !== currency) {
    throw problemAt(
      'CURRENCY_MISMATCH',
      '/limit/currency',
      `The limit must be in ${currency}, the currency of the account.`,
    )
  }
}

/** Returns the published form of an entitlement. Other subgraphs check permissions with it. */
export function grantOf(entitlement: Entitlement): Grant {
  const { entitlementId, grantorPartyId, resource, right, validTo } = entitlement
  const { limitMinor, limitCurrency } = entitlement
  const limit =
    limitMinor === null ? null : { amountMinor: limitMinor.toString(), currency: limitCurrency! }
  const grantedAt = entitlement.createdAt.toISOString()
  const grant = { entitlementId, grantorPartyId, resource, right, limit, validTo, grantedAt }
  return { ...grant, isHolder: entitlement.isHolder }
}

/**
 * Returns the evaluated rules in their order: first the ownership of the record, then, unless the
 * party is the owner, each entitlement of the party, or `nothing-granted` if it has none.
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
  const ownerDetail = isOwner
    ? `${partyId} owns ${resource}.`
    : `${partyId} does not own ${resource}.`
  const ownership: Reason = {
    rule: 'owner',
    allows: isOwner,
    detail: ownerDetail,
    entitlementId: null,
  }
  if (isOwner) return [ownership]
  if (entitlements.length > 0)
    return [ownership, ...entitlements.map((each) => reasonOf(each, right, today))]
  const detail = `${partyId} has no entitlement to ${resource}.`
  return [ownership, { rule: 'nothing-granted', allows: false, detail, entitlementId: null }]
}

function reasonOf(entitlement: Entitlement, right: EntitlementRight, today: LocalDate): Reason {
  const { entitlementId, grantorPartyId, status, validTo } = entitlement
  const entitlementReason = (allows: boolean, detail: string): Reason => ({
    rule: 'entitlement',
    allows,
    detail,
    entitlementId,
  })
  const grantPhrase = `${grantorPartyId} granted ${entitlement.right}`
  if (status === 'revoked') return entitlementReason(false, `${grantPhrase}, which was revoked.`)
  if (!isValidOn(entitlement, today))
    return entitlementReason(false, `${grantPhrase}, which expired after ${validTo}.`)
  if (!rightIncludes(entitlement.right, right)) {
    return entitlementReason(false, `${grantPhrase}, which does not include ${right}.`)
  }
  return entitlementReason(
    true,
    entitlement.right === right ? `${grantPhrase}.` : `${grantPhrase}, which includes ${right}.`,
  )
}

function problemAt(code: ProblemCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}

function validationProblem(pointer: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', {
    detail,
    errors: [{ pointer, code: 'INVALID', detail }],
  })
}

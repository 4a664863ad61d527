import type { LocalDate } from './dates.ts'

/**
 * The rights that one party can grant to another on a record. Each right includes the rights before
 * it.
 */
export const entitlementRights = ['view', 'transfer', 'manage'] as const
export type EntitlementRight = (typeof entitlementRights)[number]

/** An entitlement, as the published facts contain it. */
export interface Grant {
  entitlementId: string
  grantorPartyId: string
  /** The record to which the entitlement applies: `arrangement/<id>` or `agreement/<id>`. */
  resource: string
  right: EntitlementRight
  /** The maximum amount of one transfer; null if there is no limit. */
  limit: { amountMinor: string; currency: string } | null
  /** The last day on which the entitlement is valid; null if it does not expire. */
  validTo: LocalDate | null
  /**
   * When the entitlement was granted, ISO 8601 in UTC. Facts that older releases published do not
   * have this property.
   */
  grantedAt?: string
  /** Whether the grantee is a joint holder of the account. */
  isHolder?: boolean
}

/** Whether `right` includes `other`. */
export function rightIncludes(right: EntitlementRight, other: EntitlementRight): boolean {
  return entitlementRights.indexOf(right) >= entitlementRights.indexOf(other)
}

/** Whether an entitlement is still valid on a day. */
export function isValidOn({ validTo }: Pick<Grant, 'validTo'>, today: LocalDate): boolean {
  return validTo === null || today <= validTo
}

/** Returns the entitlements that include `right` and are valid on the day `today`. */
export function validGrants(grants: readonly Grant[], right: EntitlementRight, today: LocalDate) {
  return grants.filter((grant) => rightIncludes(grant.right, right) && isValidOn(grant, today))
}

/** Whether an amount is within the limit of an entitlement for one transfer. */
export function isWithinLimit({ limit }: Grant, amountMinor: bigint, currency: string): boolean {
  return limit === null || (limit.currency === currency && amountMinor <= BigInt(limit.amountMinor))
}

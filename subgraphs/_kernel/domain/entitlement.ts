import type { LocalDate } from './dates.ts'

/** What one party lets another do with a record of theirs; each right includes those before it. */
export const entitlementRights = ['view', 'transfer', 'manage'] as const
export type EntitlementRight = (typeof entitlementRights)[number]

/** One entitlement as it is published to who decides. */
export interface Grant {
  entitlementId: string
  grantorPartyId: string
  /** `arrangement/<id>` or `agreement/<id>`. */
  resource: string
  right: EntitlementRight
  /** The most of one transfer; null when there is no bound. */
  limit: { amountMinor: string; currency: string } | null
  /** The last day it holds. */
  validTo: LocalDate | null
  /** When it was granted, ISO 8601 in UTC; absent from older publications. */
  grantedAt?: string
}

/** Whether a right includes another. */
export function includes(right: EntitlementRight, other: EntitlementRight): boolean {
  return entitlementRights.indexOf(right) >= entitlementRights.indexOf(other)
}

/** Whether it holds on that day. */
export function holdsOn({ validTo }: Pick<Grant, 'validTo'>, today: LocalDate): boolean {
  return validTo === null || today <= validTo
}

/** Those of the grants that give the right today. */
export function giving(grants: readonly Grant[], right: EntitlementRight, today: LocalDate) {
  return grants.filter((grant) => includes(grant.right, right) && holdsOn(grant, today))
}

/** Whether an amount is within what one transfer may be. */
export function isWithin({ limit }: Grant, amountMinor: bigint, currency: string): boolean {
  return limit === null || (limit.currency === currency && amountMinor <= BigInt(limit.amountMinor))
}
